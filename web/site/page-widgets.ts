// Reads the widget tags of pages: attributes become a state, the core computes its result, and a
// mistake becomes an error message.

import {TAGS} from '../elements/registry.js';
import type {AnyWidgetClass} from '../elements/attn-widget/spec.js';
import {readFields} from '../shared/link.js';
import {defaults} from '../shared/schema.js';
import type {Contents} from './contents.js';
import type {Course} from './course.js';
import {BASE} from './paths.js';

/**
 * Attributes that every tag may have besides the fields of its state; `guessed` names the question
 * whose guess the widget shows (see guesses.ts).
 */
const COMMON = ['id', 'class', 'theme', 'lang', 'guessed'];

type Spec = AnyWidgetClass['spec'];

/** A widget as a tag on a page sets it up. */
export interface PageWidget {
  spec: Spec;
  state: unknown;
  /** Name of the author's text that it shows. */
  content: string | undefined;
  result: unknown;
}

export class Widgets {
  readonly #course: Course;
  /** The authors' texts by name. */
  readonly #content: Contents;

  readonly #computed = new Map<string, PageWidget>();

  constructor(course: Course, content: Contents) {
    this.#course = course;
    this.#content = content;
  }

  /**
   * Computes each distinct tag once. Throws an Error whose message says what is wrong with the tag.
   */
  read(tag: string, attributes: Readonly<Record<string, string>>): PageWidget {
    const {id: _, ...own} = attributes;
    const key = `${tag} ${JSON.stringify(own)}`;
    const widget = this.#computed.get(key) ?? this.#read(tag, attributes);
    this.#computed.set(key, widget);
    return widget;
  }

  #read(tag: string, attributes: Readonly<Record<string, string>>): PageWidget {
    if (!TAGS.includes(tag)) throw new Error(`没有叫 <${tag}> 的小工具`);
    const {spec} = customElements.get(tag) as unknown as AnyWidgetClass;
    const unknown = Object.keys(attributes).find(
      (key) => !COMMON.includes(key) && !Object.hasOwn(spec.schema, key),
    );
    if (unknown !== undefined) throw new Error(`<${tag}> 没有叫「${unknown}」的属性`);
    const {guessed} = attributes;
    if (guessed !== undefined && !this.#content.get(`questions/${guessed}`))
      throw new Error(`没有叫「${guessed}」的问题`);
    const {state, problem} = readFields(spec.schema, (key) => attributes[key] ?? null);
    if (problem) throw new Error(`<${tag}> ${problem.message}`);
    return this.#atState(spec, state);
  }

  byDefault(spec: Spec): PageWidget {
    return this.#atState(spec, defaults(spec.schema));
  }

  /**
   * The attributes that the build adds to a tag: the author's text, and a result that is slow to
   * compute or would load another module before the reader touches the widget.
   */
  addedAttributes({spec, state, content, result}: PageWidget): Record<string, unknown> {
    const slow = typeof spec.slow === 'function' ? spec.slow(state) : spec.slow;
    const {needs} = customElements.get(spec.tag) as unknown as AnyWidgetClass;
    return {
      ...(content === undefined ? {} : {data: withBase(this.#content.get(content))}),
      ...(slow || needs.length > 0 ? {result} : {}),
    };
  }

  #atState(spec: Spec, state: unknown): PageWidget {
    const content = spec.content?.(state);
    if (content !== undefined && this.#content.get(content) === undefined)
      throw new Error(`没有叫「${content}」的内容`);
    const result = spec.compute(this.#course, state, this.#content.get(content ?? ''));
    return {spec, state, content, result};
  }
}

export function titleOf({spec, state, result}: PageWidget): string {
  return typeof spec.title === 'string' ? spec.title : spec.title(state, result);
}

/** Links in an author's content start at the site's root. */
function withBase(content: unknown): unknown {
  return JSON.parse(JSON.stringify(content), (key, value: unknown) =>
    key === 'href' && typeof value === 'string' ? `${BASE}${value}` : value,
  );
}
