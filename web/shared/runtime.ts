// The resources that the page (or the build) gives to all widgets before the first is registered.

import type {Cache} from '../cache.js';
import type {Core} from '../core.js';
import type {Scaling} from '../scaling.js';
import type {Sequence} from '../sequence.js';
import type {TrainedModel} from '../train.js';
import type {TeachingWorld} from './world.js';

/** A module that only some widgets use, or the trained model with the module that reads it. */
export type Need = 'cache' | 'model' | 'scaling' | 'sequence';

/** The modules and the data that a widget computes with. */
export interface Resources {
  readonly core: Core;
  /** For the widgets that name it in `needs`. */
  readonly cache: Cache;
  /** For the widgets that name it in `needs`. */
  readonly scaling: Scaling;
  /** For the widgets that name it in `needs`. */
  readonly sequence: Sequence;
  readonly world: TeachingWorld;
}

export interface Runtime {
  core?: Core;
  /** Modules that are loaded only for the widgets that use them. */
  cache?: Cache;
  model?: TrainedModel;
  scaling?: Scaling;
  sequence?: Sequence;
  /** Loads the modules of a widget beside the core; absent if everything is loaded. */
  provide?: (need: Need) => Promise<void>;
  world?: TeachingWorld;
  /** Addresses of the widgets' style sheets; none if `sheets` is set. */
  stylesheets: readonly string[];
  /** Sheets that all widgets of a foreign page share, loaded before the first of them is drawn. */
  sheets: readonly CSSStyleSheet[];
  /**
   * A page of the course, with its table of sources; a foreign page; or a page with one widget
   * alone, whose query is its state.
   */
  place: 'course' | 'host' | 'frame';
  /** Folder of the authors' texts (timeline, questions …), with the slash at its end. */
  contentBase: string;
  /** Root of the course's pages, for links, where the content folder does not lie below it. */
  pageBase?: string;
  /** Folder with the files that a bundle carries, if a page wants them from there. */
  filesBase?: string;
}

export const runtime: Runtime = {
  stylesheets: [],
  sheets: [],
  place: 'course',
  contentBase: '',
};

function loaded<K extends keyof Resources>(name: K): Resources[K] {
  const resource = runtime[name] as Resources[K] | undefined;
  if (!resource) throw new Error(`${name}: not loaded, or not in "needs"`);
  return resource;
}

/** The resources that this page has loaded. Reading a missing one throws. */
export const resources: Resources = {
  get core() {
    return loaded('core');
  },
  get cache() {
    return loaded('cache');
  },
  get scaling() {
    return loaded('scaling');
  },
  get sequence() {
    return loaded('sequence');
  },
  get world() {
    return loaded('world');
  },
};
