// What every widget shares: state from attributes and links, results from the core, the frame with
// its sentence, table, links and reset, and the way back from a mistake.

import {html, LitElement, nothing, type PropertyValues, type TemplateResult} from 'lit';
import {CoreError} from '../core.js';
import {InputError} from '../shared/input.js';
import {readFields, readQuery, writeQuery, type Problem} from '../shared/link.js';
import {defaults, keysOf, type Schema} from '../shared/schema.js';
import {explain} from '../shared/problems.js';
import {showText} from '../shared/rich-text.js';
import {resources, runtime, type Need, type Resources} from '../shared/runtime.js';

/** Rows for screen readers, for the fold 看成表格 and for export. */
export interface Table {
  columns: readonly string[];
  rows: readonly (readonly string[])[];
}

/** What makes a widget this widget. `C` is content written by authors (timeline, question …). */
export interface Spec<S, R, C = undefined> {
  readonly tag: string;
  readonly title: string | ((state: S, result: R) => string);
  /** What to try, one sentence. */
  readonly hint: string;
  readonly schema: Schema<S>;
  /** Name of the content file that a state needs, for widgets that show an author's text. */
  readonly content?: (state: S) => string;
  /** Computing, or fetching what it needs, takes long enough to be felt: the build's result, same digits, rides with the page. */
  readonly slow?: true | ((state: S) => boolean);
  /** Pure; throws CoreError for input that the core refuses, or InputError with the sentence for it. */
  readonly compute: (resources: Resources, state: S, content: C) => R;
  /** Pure: the build draws the static figure with it, the browser the live one. */
  readonly view: (state: S, result: R) => TemplateResult;
  /** One sentence that states what the picture now shows. */
  readonly says: (state: S, result: R) => string;
  readonly table: (state: S, result: R) => Table;
  /** The fold 逐步怎么算, for widgets that have steps to show. */
  readonly steps?: (state: S, result: R) => TemplateResult;
}

const SPOKEN_INTERVAL_MS = 1000;

export abstract class AttnWidget<S extends object, R, C = undefined> extends LitElement {
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- each widget narrows it
  static readonly spec: Spec<any, any, any>;

  /**
   * Modules that `compute` calls beside the core. Who registers the tag loads them first; where the
   * page brought the results of all such widgets they come when one is touched.
   */
  static readonly needs: readonly Need[] = [];

  static override get observedAttributes(): string[] {
    return [...super.observedAttributes, ...Object.keys(this.spec.schema), 'data'];
  }

  #state: S | undefined;
  #initial: S | undefined;
  #result: R | undefined;
  #problem: Problem | null = null;
  #content: C | undefined;
  /** Another text was asked for and is on its way. */
  #moving = false;
  #stale = true;
  #reflecting = false;
  #spoken = '';
  #spokenAt = 0;
  /** What is in the live region is for the eye too. */
  #told = false;
  #speakTimer: ReturnType<typeof setTimeout> | undefined;
  /** What is being typed, by box, until it can be used or the box is left. */
  readonly drafts = new Map<string, {text: string; problem: string | null}>();

  protected get spec(): Spec<S, R, C> {
    return (this.constructor as unknown as {spec: Spec<S, R, C>}).spec;
  }

  /** Inputs only, plain JSON. Setting it replaces the fields given. */
  get state(): S {
    return {...this.#current()};
  }

  set state(value: Partial<S>) {
    // Whoever sets it wants to see it: a widget that waits for its turn waits no longer, and takes over
    // what the build has drawn before anything changes.
    if (this.hasAttribute('defer-hydration')) {
      this.removeAttribute('defer-hydration');
      this.performUpdate();
    }
    const {schema} = this.spec;
    // By way of the text form, which checks every value.
    const textOf = (key: keyof S) =>
      key in value ? schema[key].write(value[key] as S[keyof S]) : null;
    try {
      const {state, problem} = readFields(schema, (key) => textOf(key as keyof S), this.#current());
      if (problem) this.#report(problem);
      else this.change(state);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      this.#report({code: 'not-a-state', message: 'state里有一个值的类型不对。'});
    }
  }

  /** What controls may compute with, too. */
  protected readonly resources: Resources = resources;

  /** The author's text, once it is there. */
  protected get content(): C | undefined {
    return this.#content;
  }

  /** What the core returned for the state, plain JSON. */
  get result(): R | undefined {
    this.#current();
    return this.#result;
  }

  override attributeChangedCallback(name: string, old: string | null, value: string | null): void {
    super.attributeChangedCallback(name, old, value);
    if (this.#reflecting || old === value) return;
    if (name === 'data' || name in this.spec.schema) {
      this.#stale = true;
      this.requestUpdate();
    }
  }

  protected override createRenderRoot(): HTMLElement | DocumentFragment {
    const root = super.createRenderRoot() as ShadowRoot;
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, ...runtime.sheets];
    return root;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    for (const touch of ['focusin', 'pointerenter'])
      this.addEventListener(touch, this.#fetchAhead, {once: true});
    window.addEventListener('hashchange', this.#readHash);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.removeEventListener('hashchange', this.#readHash);
    clearTimeout(this.#speakTimer);
  }

  protected override willUpdate(_changed: PropertyValues): void {
    this.#current();
  }

  protected override firstUpdated(): void {
    for (const box of this.renderRoot.querySelectorAll<HTMLInputElement>('input[type=button]'))
      box.type = 'text';
    this.#readHash();
  }

  /** A box that was clicked no longer follows its attribute; the state decides. */
  protected override updated(_changed: PropertyValues): void {
    if (this.#result !== undefined) this.toggleAttribute('ready', true);
    for (const box of this.renderRoot.querySelectorAll<HTMLInputElement>(
      'input[type=checkbox], input[type=radio]',
    )) {
      box.checked = box.hasAttribute('checked');
    }
  }

  /** Takes over part of a new state; a part that the core refuses changes nothing but the message. */
  protected change(patch: Partial<S>): void {
    const next = {...this.#current(), ...patch};
    if (this.spec.content?.(next) !== this.spec.content?.(this.#current())) {
      // Another text: the attributes ask for it.
      this.#content = undefined;
      this.#moving = true;
      this.removeAttribute('data');
      this.#write(next);
      return;
    }
    if (this.#await(() => this.change(patch)) || !this.#accept(next)) return;
    this.#reflecting = true;
    this.#write(next);
    this.#reflecting = false;
    this.#tell();
  }

  #tell(): void {
    this.#speak();
    this.dispatchEvent(
      new CustomEvent('attn-change', {
        bubbles: true,
        composed: true,
        detail: {state: this.state, result: this.#result},
      }),
    );
  }

  /** Computes anew for the same state, for widgets whose result has a life of its own. */
  protected refresh(): void {
    this.#accept(this.#current());
  }

  /** What such a widget adds to what `compute` gives. */
  protected completed(result: R, _state: S): R {
    return result;
  }

  /** Controls above the picture; they only exist for a page with scripts. */
  protected controls(_state: S, _result: R): TemplateResult | typeof nothing {
    return nothing;
  }

  /** Controls and picture together; override where they share a grid. */
  protected body(state: S, result: R): TemplateResult {
    return html`<div class="controls live">${this.controls(state, result)}</div>
      <div class="view">${this.spec.view(state, result)}</div>`;
  }

  override render(): TemplateResult {
    const link = runtime.stylesheets.map((href) => html`<link rel="stylesheet" href=${href} />`);
    const state = this.#state;
    const result = this.#result;
    if (state === undefined || result === undefined) {
      return html`${link}
        <div class="widget" role="group" aria-label=${this.spec.tag}>
          <p class="trouble" role="alert">
            ${this.#problem?.message ?? '正在取这个小工具的内容……'}
          </p>
          <slot></slot>
        </div>`;
    }
    const {spec} = this;
    const trouble =
      this.#problem?.message ??
      [...this.drafts.values()].find((draft) => draft.problem)?.problem ??
      null;
    const title = typeof spec.title === 'string' ? spec.title : spec.title(state, result);
    return html`${link}
      <div class="widget" role="group" aria-label=${title}>
        <header>
          <p class="title">${title}</p>
          <p class="hint">${spec.hint}</p>
        </header>
        ${this.body(state, result)}
        <p class="says">${showText(spec.says(state, result))}</p>
        <p class="trouble" id="trouble" role="alert" ?hidden=${trouble === null}>
          ${trouble ?? nothing}
        </p>
        <p class=${this.#told ? 'note' : 'spoken'} role="status">${this.#spoken || nothing}</p>
        <div class="tools">
          ${
            spec.steps
              ? html`<details>
                  <summary>逐步怎么算</summary>
                  ${spec.steps(state, result)}
                </details>`
              : nothing
          }
          <details>
            <summary>看成表格</summary>
            <div class="scroll" tabindex="0" role="group" aria-label="表格">
              ${this.#table(title, spec.table(state, result))}
            </div>
          </details>
          <span class="live actions">
            <button type="button" @click=${this.#copyLink}>复制链接</button>
            <button type="button" @click=${this.#savePicture}>存为图片</button>
            <button type="button" @click=${this.reset}>还原</button>
          </span>
        </div>
      </div>`;
  }

  /** Back to what the page asked for. */
  reset = (): void => {
    this.drafts.clear();
    if (this.#initial) this.change(this.#initial);
  };

  /** The picture as one standalone SVG with title and description. */
  async toSVG(): Promise<string> {
    const state = this.#current();
    const [{figureFromTemplate}] = await Promise.all([import('../shared/figure-client.js')]);
    if (this.#result === undefined) throw new Error(`${this.spec.tag}: not drawn yet`);
    const title =
      typeof this.spec.title === 'string' ? this.spec.title : this.spec.title(state, this.#result);
    return figureFromTemplate(this.spec.view(state, this.#result), {
      title,
      description: this.spec.says(state, this.#result),
    });
  }

  #current(): S {
    if (this.#stale) {
      this.#stale = false;
      const {schema} = this.spec;
      const reading = readFields(schema, (key) => this.getAttribute(key));
      this.#initial ??= reading.state;
      this.#readContent(reading.state);
      if (this.#accept(reading.state) && reading.problem) this.#report(reading.problem);
      if (this.#state === undefined) this.#accept(defaults(schema), true);
    }
    return this.#state ?? defaults(this.spec.schema);
  }

  /** The attributes hold whatever was asked for meanwhile. */
  #readAgain = (): void => {
    this.#stale = true;
    this.requestUpdate();
  };

  /** A loss is told by the change that needs the module. */
  #fetchAhead = (): void => {
    for (const need of (this.constructor as AnyWidgetClass).needs)
      void runtime.provide?.(need).catch(() => undefined);
  };

  /** True while a module is still to come: `then` runs once it is there. */
  #await(then: () => void): boolean {
    const {provide} = runtime;
    const missing = (this.constructor as AnyWidgetClass).needs.filter((need) => !runtime[need]);
    if (!provide || missing.length === 0) return false;
    void Promise.all(missing.map(provide)).then(then, () =>
      this.#report({code: 'no-module', message: '计算模块没能载入，请刷新页面再试。'}),
    );
    return true;
  }

  /** Computes for a state; keeps the last good one, and says why, where the core refuses. */
  #accept(state: S, keepProblem = false): boolean {
    if (this.spec.content && this.#content === undefined) return false;
    try {
      const ready = this.#result === undefined ? this.getAttribute('result') : null;
      if (ready === null && this.#await(this.#readAgain)) return false;
      this.#result = this.completed(
        ready === null
          ? this.spec.compute(this.resources, state, this.#content as C)
          : (JSON.parse(ready) as R),
        state,
      );
    } catch (error) {
      if (error instanceof InputError) this.#report(error);
      else if (error instanceof CoreError)
        this.#report({code: error.code, message: explain(error)});
      else throw error;
      return false;
    }
    this.#state = state;
    if (!keepProblem) this.#problem = null;
    this.requestUpdate();
    return true;
  }

  #report(problem: Problem): void {
    this.#problem = problem;
    this.requestUpdate();
    this.dispatchEvent(
      new CustomEvent('attn-error', {bubbles: true, composed: true, detail: problem}),
    );
  }

  /** An author's text comes with the page as `data`, or from the content folder. */
  #readContent(state: S, keepProblem = false): void {
    if (!this.spec.content) return;
    const given = this.getAttribute('data');
    if (given !== null) {
      this.#content = JSON.parse(given) as C;
      return;
    }
    const url = `${runtime.contentBase}${this.spec.content(state)}.json`;
    void fetch(url)
      .then((response) =>
        response.ok ? response.text() : Promise.reject(new Error(`${url}: ${response.status}`)),
      )
      .then((text) => {
        // Its links start at the site's root, beside which the folder lies.
        this.#content = JSON.parse(text, (key, value: unknown) =>
          key === 'href' ? new URL(`../${String(value)}`, runtime.contentBase).href : value,
        ) as C;
        const moving = this.#moving;
        this.#moving = false;
        if (this.#accept(state, keepProblem)) {
          if (moving) this.#tell();
        } else if (this.#state === undefined) this.#accept(defaults(this.spec.schema), true);
      })
      .catch(() => {
        this.#report({code: 'no-content', message: '没取到这个小工具的内容，请刷新页面再试。'});
        const fallback = defaults(this.spec.schema);
        if (
          this.#state === undefined &&
          this.spec.content?.(fallback) !== this.spec.content?.(state)
        )
          this.#readContent(fallback, true);
      });
  }

  /** Attributes follow the state, so that a page can read either. */
  #write(state: S): void {
    const {schema} = this.spec;
    for (const key of keysOf(schema)) {
      const text = schema[key].write(state[key]);
      if (text !== schema[key].write(schema[key].fallback) || this.hasAttribute(key)) {
        if (this.getAttribute(key) !== text) this.setAttribute(key, text);
      }
    }
  }

  /** The sentence goes to the live region at most once a second. */
  #speak(): void {
    clearTimeout(this.#speakTimer);
    const wait = Math.max(0, this.#spokenAt + SPOKEN_INTERVAL_MS - Date.now());
    this.#speakTimer = setTimeout(() => {
      if (this.#state === undefined || this.#result === undefined) return;
      this.#spokenAt = Date.now();
      this.#told = false;
      this.#spoken = this.spec.says(this.#state, this.#result);
      this.requestUpdate();
    }, wait);
  }

  #anchor(): string {
    return this.id || this.localName;
  }

  #readHash = (): void => {
    if (runtime.place === 'frame') return;
    const [anchor, query] = location.hash.slice(1).split('?', 2);
    if (query === undefined || anchor !== encodeURI(this.#anchor())) return;
    const reading = readQuery(this.spec.schema, query, this.#initial);
    this.change(reading.state);
    if (reading.problem)
      this.#report({
        ...reading.problem,
        message: `链接里有认不出的地方，已用默认值。${reading.problem.message}`,
      });
    this.scrollIntoView({block: 'start'});
  };

  #copyLink = async (): Promise<void> => {
    const {schema} = this.spec;
    const url = new URL(location.href);
    if (runtime.place === 'frame') url.search = writeQuery(schema, this.#current());
    else {
      url.hash = `${this.#anchor()}?${writeQuery(schema, this.#current(), this.#initial)}`;
      history.replaceState(null, '', url);
    }
    this.#told = true;
    try {
      await navigator.clipboard.writeText(url.href);
      this.#spoken = '链接已复制。';
    } catch {
      this.#spoken = `请从这里复制链接：${url.href}`;
    }
    this.requestUpdate();
  };

  #savePicture = async (): Promise<void> => {
    const picture = await this.toSVG().catch(() =>
      this.#report({code: 'no-picture', message: '没取到画图的脚本，请再试一次。'}),
    );
    if (!picture) return;
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([picture], {type: 'image/svg+xml'}));
    link.download = `${this.#anchor()}.svg`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  };

  #table(caption: string, table: Table): TemplateResult {
    return html`<table>
      <caption>
        ${caption}
      </caption>
      <thead>
        <tr>
          ${table.columns.map((column) => html`<th scope="col">${column}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${table.rows.map(
          (row) =>
            html`<tr>
              ${row.map((cell, i) => (i === 0 ? html`<th scope="row">${showText(cell)}</th>` : html`<td>${showText(cell)}</td>`))}
            </tr>`,
        )}
      </tbody>
    </table>`;
  }
}

/** A widget class whose state, result and content are known only to itself. */
export type AnyWidgetClass = CustomElementConstructor & {
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- the one place that handles all widgets alike
  readonly spec: Spec<any, any, any>;
  readonly needs: readonly Need[];
};
