// The base class of all widgets: state from attributes and links, results from the core, and the
// frame with its sentence, table and buttons. After an error the last good picture is kept.

import {html, LitElement, nothing, type PropertyValues, type TemplateResult} from 'lit';
import {CoreError} from '../core.js';
import {InputError} from '../shared/input.js';
import {readFields, writeQuery, type Problem, type Reading} from '../shared/link.js';
import {giveBoxesPlaces} from '../shared/number-box.js';
import {explain} from '../shared/problems.js';
import {showText} from '../shared/rich-text.js';
import {resources, runtime, type Need, type Resources} from '../shared/runtime.js';
import {defaults, keysOf} from '../shared/schema.js';
import {AddressLink} from './attn-widget/address.js';
import {StateAttributes} from './attn-widget/attributes.js';
import {AuthorContent} from './attn-widget/content.js';
import {Drafts} from './attn-widget/drafts.js';
import {savePicture, tableView} from './attn-widget/frame.js';
import {keepKeys} from './attn-widget/keys.js';
import {LiveRegion} from './attn-widget/live-region.js';
import {NeededModules} from './attn-widget/modules.js';
import {titleOf, type Spec} from './attn-widget/spec.js';

export abstract class AttnWidget<S extends object, R, C = undefined> extends LitElement {
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- each widget narrows it
  static readonly spec: Spec<any, any, any>;

  /**
   * Modules that `compute` calls beside the core. They are loaded before the tag is registered, or,
   * where the page carries the results of all such widgets, when a reader touches one.
   */
  static readonly needs: readonly Need[] = [];

  /** Loads a part that the first drawing needs in some state that the page shows. */
  static readonly prepare?: () => Promise<void>;

  static override get observedAttributes(): string[] {
    return [...super.observedAttributes, ...Object.keys(this.spec.schema), 'data', 'state'];
  }

  /** The last state that could be drawn, with its result. */
  #state: S | undefined;
  #result: R | undefined;
  #problem: Problem | null = null;
  /** The state of the last event, or the first one, as text. */
  #announced: string | undefined;
  /** True while the picture shows a state that attributes and links do not have yet. */
  #previewing = false;

  readonly drafts = new Drafts();
  readonly #attributes = new StateAttributes<S>(this, this.spec.schema);
  readonly #content = new AuthorContent<C>(this);
  readonly #modules = new NeededModules(this, (this.constructor as typeof AttnWidget).needs);
  readonly #live = new LiveRegion(this);
  readonly #address = new AddressLink<S>(this, {
    schema: this.spec.schema,
    initial: () => this.#attributes.initial,
    take: (reading) => this.#follow(reading),
  });

  /** The modules for computations of the controls. */
  protected readonly resources: Resources = resources;

  protected get spec(): Spec<S, R, C> {
    return (this.constructor as unknown as {spec: Spec<S, R, C>}).spec;
  }

  /**
   * The input fields, plain JSON. Setting it replaces the given fields; an equal state changes
   * nothing. Each field is a property of its own too.
   */
  get state(): S {
    return {...this.#current()};
  }

  set state(value: Partial<S>) {
    // A widget that is not hydrated yet first takes over the build's drawing and then changes.
    if (this.hasAttribute('defer-hydration')) {
      this.removeAttribute('defer-hydration');
      this.performUpdate();
    }
    const {schema} = this.spec;
    // The text form checks every value.
    const textOf = (key: keyof S) =>
      key in value ? schema[key].write(value[key] as S[keyof S]) : null;
    try {
      const {state, problem} = readFields(schema, (key) => textOf(key as keyof S), this.#current());
      if (problem) this.#report(problem);
      else if (this.#problem || this.#textOf(state) !== this.#textOf(this.#current()))
        this.change(state);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      this.#report({code: 'not-a-state', message: 'state里有一个值的类型不对。'});
    }
  }

  /** The author's text; undefined until it is loaded. */
  protected get content(): C | undefined {
    return this.#content.value;
  }

  /** The result of the core for the state, plain JSON. */
  get result(): R | undefined {
    this.#current();
    return this.#result;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    // Values that a page set before the tag was registered hide the properties of the class.
    for (const key of ['state', ...keysOf(this.spec.schema)] as (keyof this)[]) {
      if (!Object.hasOwn(this, key)) continue;
      const value = this[key];
      delete this[key];
      this[key] = value;
    }
  }

  override attributeChangedCallback(name: string, old: string | null, value: string | null): void {
    super.attributeChangedCallback(name, old, value);
    if (old !== value && this.#attributes.concerns(name)) this.#readAgain();
  }

  protected override createRenderRoot(): HTMLElement | DocumentFragment {
    const root = super.createRenderRoot() as ShadowRoot;
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, ...runtime.sheets];
    keepKeys(root);
    return root;
  }

  protected override willUpdate(_changed: PropertyValues): void {
    this.#current();
  }

  protected override firstUpdated(): void {
    // number-box.ts draws its boxes as buttons at build.
    for (const box of this.renderRoot.querySelectorAll<HTMLInputElement>('input[type=button]'))
      box.type = 'text';
    // A toggle event does not bubble.
    this.renderRoot.addEventListener('toggle', () => giveBoxesPlaces(this), {capture: true});
    this.#announceNew();
    this.#address.read();
  }

  /**
   * A box that the reader clicked no longer follows its attribute, so its property is set from the
   * state.
   */
  protected override updated(_changed: PropertyValues): void {
    this.#announceNew();
    for (const box of this.renderRoot.querySelectorAll<HTMLInputElement>(
      'input[type=checkbox], input[type=radio]',
    )) {
      box.checked = box.hasAttribute('checked');
    }
  }

  /** Takes over part of a new state. If the core refuses it, only the message changes. */
  protected change(patch: Partial<S>): void {
    const next = {...this.#current(), ...patch};
    if (this.spec.content?.(next) !== this.spec.content?.(this.#current())) {
      this.#content.forget();
      this.#attributes.ask(next);
      return;
    }
    if (this.awaits(() => this.change(patch)) || !this.#accept(next)) return;
    this.#previewing = false;
    this.#attributes.write(next);
    if (this.#textOf(next) !== this.#announced)
      this.#live.announce(() => this.spec.says(this.#current(), this.#result as R));
  }

  /**
   * Shows part of a new state in the picture alone, while it is dragged or played. Attributes,
   * event and links follow with the next `change`.
   */
  protected preview(patch: Partial<S>): void {
    if (this.awaits(() => this.preview(patch))) return;
    if (this.#accept({...this.#current(), ...patch})) this.#previewing = true;
  }

  /** Returns to the state that the page gave. */
  reset = (): void => {
    this.drafts.clear();
    const {initial} = this.#attributes;
    if (initial) this.change(initial);
  };

  /**
   * Computes again for the same state, for widgets whose result changes without a change of state.
   */
  protected refresh(): void {
    this.#accept(this.#current());
  }

  /** Adds results that do not come from `compute`, in widgets that have such results. */
  protected completed(result: R, _state: S): R {
    return result;
  }

  /** Controls above the picture; only a page with scripts shows them. */
  protected controls(_state: S, _result: R): TemplateResult | typeof nothing {
    return nothing;
  }

  /** Controls and picture together; a widget overrides this if they share a grid. */
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
          <p class="trouble" role="alert">${this.#problem?.message ?? '正在载入……'}</p>
          <slot></slot>
        </div>`;
    }
    const {spec} = this;
    const {text, visible} = this.#live;
    const trouble = this.#problem?.message ?? this.drafts.problem;
    const title = titleOf(spec, state, result);
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
        <p class=${visible ? 'note' : 'spoken'} role="status">${text || nothing}</p>
        <div class="tools" part="tools">
          ${this.#stepsFold(state, result)}
          <details>
            <summary>数据表</summary>
            <div class="scroll" tabindex="0" role="group" aria-label="数据表">
              ${tableView(title, spec.table(state, result))}
            </div>
          </details>
          <span class="live actions">
            <button type="button" @click=${this.#copyLink}>复制链接</button>
            <button type="button" @click=${this.#savePicture}>保存图片</button>
            <button type="button" @click=${this.reset}>还原</button>
          </span>
        </div>
      </div>`;
  }

  #stepsFold(state: S, result: R): TemplateResult | typeof nothing {
    const {steps} = this.spec;
    if (!steps) return nothing;
    return html`<details>
      <summary>计算步骤</summary>
      ${steps(state, result)}
    </details>`;
  }

  /** The picture as one standalone SVG file with title and description. */
  async toSVG(): Promise<string> {
    const state = this.#current();
    const {figureFromTemplate} = await import('../shared/figure-client.js');
    const result = this.#result;
    if (result === undefined) throw new Error(`${this.spec.tag}: not drawn yet`);
    return figureFromTemplate(this.spec.view(state, result), {
      title: titleOf(this.spec, state, result),
      description: this.spec.says(state, result),
    });
  }

  #copyLink = async (): Promise<void> => {
    const href = this.#address.write(this.#current());
    try {
      await navigator.clipboard.writeText(href);
      this.#live.show('链接已复制。');
    } catch {
      this.#live.show(`请从这里复制链接：${href}`);
    }
  };

  #savePicture = async (): Promise<void> => {
    const picture = await this.toSVG().catch(() =>
      this.#report({code: 'no-picture', message: '画图的脚本载入失败，请再试一次。'}),
    );
    if (picture) savePicture(picture, this.#address.anchor);
  };

  #current(): S {
    const {schema} = this.spec;
    if (this.#attributes.stale) {
      const {state, problem} = this.#attributes.read();
      this.#readContent(state);
      if (this.#accept(state) && problem) this.#report(problem);
      if (this.#state === undefined) this.#accept(defaults(schema), true);
    }
    return this.#state ?? defaults(schema);
  }

  #readAgain = (): void => {
    this.#attributes.invalidate();
    this.requestUpdate();
  };

  #follow({state, problem}: Reading<S>): void {
    this.change(state);
    if (problem) this.#report({...problem, message: `链接有误，已用默认值。${problem.message}`});
  }

  /** True while a module is not loaded; `then` runs once it is. */
  protected awaits(then: () => void): boolean {
    const missing = this.#modules.missing();
    void missing?.then(then, () =>
      this.#report({code: 'no-module', message: '计算模块载入失败，请刷新页面再试。'}),
    );
    return missing !== null;
  }

  /**
   * Computes for a state. If the core throws, the last good state is kept and the error reported.
   */
  #accept(state: S, keepProblem = false): boolean {
    if (this.spec.content && this.#content.value === undefined) return false;
    try {
      // The page carries the first result of a widget that takes long to compute.
      const carried = this.#result === undefined ? this.getAttribute('result') : null;
      if (carried === null && this.awaits(this.#readAgain)) return false;
      const result =
        carried === null
          ? this.spec.compute(this.resources, state, this.#content.value as C)
          : (JSON.parse(carried) as R);
      this.#result = this.completed(result, state);
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

  #readContent(state: S, keepProblem = false): void {
    const name = this.spec.content?.(state);
    if (name === undefined || this.#content.takeGiven()) return;
    this.#content
      .fetch(name)
      .then((current) => current && this.#takeContent(state, keepProblem))
      .catch(() => this.#loseContent(name));
  }

  #takeContent(state: S, keepProblem: boolean): void {
    if (!this.#accept(state, keepProblem) && this.#state === undefined)
      this.#accept(defaults(this.spec.schema), true);
  }

  /** A widget without a drawing draws its default state and keeps the message. */
  #loseContent(name: string): void {
    this.#report({code: 'no-content', message: '内容载入失败，请刷新页面再试。'});
    const fallback = defaults(this.spec.schema);
    if (this.#state === undefined && this.spec.content?.(fallback) !== name)
      this.#readContent(fallback, true);
  }

  #textOf(state: S): string {
    return writeQuery(this.spec.schema, state);
  }

  /** One event for all changes since the last drawing, whoever made them. */
  #announceNew(): void {
    const {state, result} = this;
    if (result === undefined || this.#previewing) return;
    const text = this.#textOf(state);
    const first = this.#announced === undefined;
    if (text === this.#announced) return;
    this.#announced = text;
    if (first) {
      this.toggleAttribute('ready', true);
      this.#attributes.initial = state;
    }
    this.#fire(first ? 'attn-ready' : 'attn-change', {state, result});
  }

  #fire(name: string, detail: unknown): void {
    this.dispatchEvent(new CustomEvent(name, {bubbles: true, composed: true, detail}));
  }

  #report(problem: Problem): void {
    this.#problem = problem;
    this.requestUpdate();
    this.#fire('attn-error', problem);
  }
}
