// Widgets as tags ask for them: the attributes read, the result computed, or the mistake in words.

import {TAGS} from '../elements/registry.js';
import type {AnyWidgetClass} from '../elements/attn-widget/spec.js';
import {readFields} from '../shared/link.js';
import {defaults} from '../shared/schema.js';
import type {Course} from './course.js';
import {BASE} from './paths.js';

/** What every tag may carry beside the fields of its state. */
const COMMON = ['id', 'class', 'theme', 'lang'];

type Spec = AnyWidgetClass['spec'];

/** A widget as its tag asks for it. */
export interface Asked {
  spec: Spec;
  state: unknown;
  /** Name of the author's text that it shows. */
  content: string | undefined;
  result: unknown;
}

export class Widgets {
  readonly #course: Course;
  /** The authors' texts by name. */
  readonly #content: ReadonlyMap<string, unknown>;

  readonly #known = new Map<string, Asked>();

  constructor(course: Course, content: ReadonlyMap<string, unknown>) {
    this.#course = course;
    this.#content = content;
  }

  /**
   * Throws Error that says, in words, what is wrong with the tag; the same tag is computed once.
   */
  read(tag: string, attributes: Readonly<Record<string, string>>): Asked {
    const {id: _, ...own} = attributes;
    const key = `${tag} ${JSON.stringify(own)}`;
    const asked = this.#known.get(key) ?? this.#read(tag, attributes);
    this.#known.set(key, asked);
    return asked;
  }

  #read(tag: string, attributes: Readonly<Record<string, string>>): Asked {
    if (!TAGS.includes(tag)) throw new Error(`没有叫 <${tag}> 的小工具`);
    const {spec} = customElements.get(tag) as unknown as AnyWidgetClass;
    const unknown = Object.keys(attributes).find(
      (key) => !COMMON.includes(key) && !Object.hasOwn(spec.schema, key),
    );
    if (unknown !== undefined) throw new Error(`<${tag}> 没有叫「${unknown}」的属性`);
    const {state, problem} = readFields(spec.schema, (key) => attributes[key] ?? null);
    if (problem) throw new Error(`<${tag}> ${problem.message}`);
    return this.#asked(spec, state);
  }

  byDefault(spec: Spec): Asked {
    return this.#asked(spec, defaults(spec.schema));
  }

  /**
   * The build puts these on a tag: the author's text, and a result that takes long to compute or
   * would load another module before a reader touches the widget.
   */
  riding({spec, state, content, result}: Asked): Record<string, unknown> {
    const slow = typeof spec.slow === 'function' ? spec.slow(state) : spec.slow;
    const {needs} = customElements.get(spec.tag) as unknown as AnyWidgetClass;
    return {
      ...(content === undefined ? {} : {data: withBase(this.#content.get(content))}),
      ...(slow || needs.length > 0 ? {result} : {}),
    };
  }

  #asked(spec: Spec, state: unknown): Asked {
    const content = spec.content?.(state);
    if (content !== undefined && !this.#content.has(content))
      throw new Error(`没有叫「${content}」的内容`);
    const result = spec.compute(this.#course, state, this.#content.get(content ?? ''));
    return {spec, state, content, result};
  }
}

export function titleOf({spec, state, result}: Asked): string {
  return typeof spec.title === 'string' ? spec.title : spec.title(state, result);
}

/** Links in an author's content start at the site's root. */
function withBase(content: unknown): unknown {
  return JSON.parse(JSON.stringify(content), (key, value: unknown) =>
    key === 'href' && typeof value === 'string' ? `${BASE}${value}` : value,
  );
}
