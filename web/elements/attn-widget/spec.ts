// The specification of one widget: its state, results, pictures and texts.

import type {TemplateResult} from 'lit';
import type {Need, Resources} from '../../shared/runtime.js';
import type {Schema} from '../../shared/schema.js';

/** Rows for screen readers, for the fold 数据表 and for export. */
export interface Table {
  columns: readonly string[];
  rows: readonly (readonly string[])[];
}

/** `C` is content written by authors (timeline, question …). */
export interface Spec<S, R, C = undefined> {
  readonly tag: string;
  readonly title: string | ((state: S, result: R) => string);
  /** One sentence that suggests what to try. */
  readonly hint: string;
  readonly schema: Schema<S>;
  /** Name of the content file that a state needs, for widgets that show an author's text. */
  readonly content?: (state: S) => string;
  /**
   * True if computing or fetching takes noticeable time. The page then carries the result of the
   * build, which has the same digits.
   */
  readonly slow?: true | ((state: S) => boolean);
  /**
   * Pure. Throws CoreError for input that the core refuses, or InputError with a sentence for the
   * reader.
   */
  readonly compute: (resources: Resources, state: S, content: C) => R;
  /** Pure: the build draws the static figure with it, the browser the live one. */
  readonly view: (state: S, result: R) => TemplateResult;
  /** One sentence that states what the picture shows. */
  readonly says: (state: S, result: R) => string;
  readonly table: (state: S, result: R) => Table;
  /** The fold 计算步骤, for widgets that have steps to show. */
  readonly steps?: (state: S, result: R) => TemplateResult;
}

/** A widget class with unknown types of state, result and content. */
export type AnyWidgetClass = CustomElementConstructor & {
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- widgets of every state
  readonly spec: Spec<any, any, any>;
  readonly needs: readonly Need[];
  readonly prepare?: () => Promise<void>;
};

export const titleOf = <S, R>({title}: Spec<S, R, never>, state: S, result: R): string =>
  typeof title === 'string' ? title : title(state, result);
