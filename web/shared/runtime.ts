// What the page (or the build) gives to all widgets before the first is registered.

import type {Core} from '../core.js';
import type {TeachingWorld} from './world.js';

export interface Runtime {
  core: Core | undefined;
  world: TeachingWorld | undefined;
  /** Addresses of the widgets' style sheets. */
  stylesheets: readonly string[];
  /** Folder of the authors' texts (timeline, questions …), with the slash at its end. */
  contentBase: string;
}

export const runtime: Runtime = {core: undefined, world: undefined, stylesheets: [], contentBase: ''};
