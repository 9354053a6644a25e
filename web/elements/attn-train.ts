// <attn-train>: the small GPT learns in the page, beside the recorded run of the same settings.

import {html, nothing, type PropertyValues, type TemplateResult} from 'lit';
import {live as liveValue} from 'lit/directives/live.js';
import {fixed, general, integer, plain} from '../shared/format.js';
import {numberBox} from '../shared/number-box.js';
import {runtime, type Resources} from '../shared/runtime.js';
import {
  choiceField,
  flagField,
  numberField,
  sampleText,
  type Field,
  type Schema,
} from '../shared/schema.js';
import {SEEDS} from '../shared/experiment.js';
import type {Token} from '../shared/plot.js';
import {busy, Missing, TrainDesk, type Failure, type Kept, type Live} from '../training/desk.js';
import {
  attentionMap,
  chart,
  legend,
  measured,
  shownCharacter,
  type Name,
  type Series,
} from '../training/figure.js';
import {
  sameRun,
  type DiagnosticsAt,
  type Look,
  type Preset,
  type Settings,
} from '../training/protocol.js';
import {
  agreement,
  keyFor,
  recordedLosses,
  type Agreement,
  type CaseContent,
  type CaseRecord,
  type RecordKey,
} from '../training/records.js';
import {AttnWidget, type Spec, type Table} from './attn-widget.js';

export interface TrainState extends Settings {
  /** 小模型42.6万参数、4个头；大模型137.6万参数、1个头 */
  preset: Preset;
  /** 缩放、不缩放，或一种埋进去的错 */
  attention: Settings['attention'];
  /** 参数和抽到的诗都由它定 */
  seed: number;
  /** 走多少步结束；学习率也按它降 */
  steps: number;
  /** 学习率的最高点；训练中可以改 */
  rate: number;
  /** 注意力图读哪一句，只画末24字 */
  text: string;
  /** 注意力图画哪一层，从0数 */
  layer: number;
  /** 注意力图画哪一个头，从0数；大模型只有一个 */
  head: number;
  /** 样诗从哪几个字写起；空着就另起一行 */
  prompt: string;
  /** 样诗的温度；0是每次取最可能的字 */
  temperature: number;
  /** 一打开就开始 */
  autostart: boolean;
}

export interface TrainResult {
  /** Of these settings. */
  record: CaseRecord | null;
  /** Of the same seed, what it is to be compared with: the other side of ÷√d. */
  other: CaseRecord | null;
  /** Content that would have the record, and is not here yet. */
  wanted: string | null;
  /** The page's run, if it is of these settings. */
  live: Live | null;
  agreement: Agreement | null;
  /** The page's run, if it is of others. */
  elsewhere: Settings | null;
  /** The last run that this browser kept. */
  kept: Kept | null;
}

interface Kind {
  id: Settings['attention'];
  name: string;
  mark: '✓' | '✗';
}

const KINDS: readonly Kind[] = [
  {id: 'scaled', name: '÷√d', mark: '✓'},
  {id: 'unscaled', name: '不缩放', mark: '✗'},
  {id: 'hidden-as-zero', name: '遮住的记0分', mark: '✗'},
  {id: 'scaled-after-softmax', name: 'softmax之后才÷√d', mark: '✗'},
  {id: 'no-max-subtraction', name: '不减最大值', mark: '✗'},
  {id: 'divided-by-width', name: '÷d', mark: '✗'},
];
const SIZES: readonly {id: Preset; name: string; heads: number}[] = [
  {id: 'small', name: '小模型', heads: 4},
  {id: 'large', name: '大模型', heads: 1},
];
const LAYERS = 2;
/** 萬里邊城遠…, a poem of the corpus. */
const VERSE = '萬里邊城遠，千山行路難。舉頭唯見日，何處是長安。';
const RANGES = {
  seed: SEEDS,
  steps: {min: 1, max: 100_000, integer: true},
  rate: {min: 0, max: 1e6},
  layer: {min: 0, max: LAYERS - 1, integer: true},
  head: {min: 0, max: 3, integer: true},
  temperature: {min: 0, max: 100},
};

const textField = (fallback: string): Field<string> => ({
  fallback,
  read: (text) => text,
  write: (text) => text,
  about: import.meta.env.SSR ? {takes: '任何文字', sample: sampleText} : undefined,
});

const schema: Schema<TrainState> = {
  preset: choiceField<Preset>('small', ['small', 'large']),
  attention: choiceField<Settings['attention']>(
    'scaled',
    KINDS.map(({id}) => id),
  ),
  seed: numberField(20261014, RANGES.seed),
  steps: numberField(1500, RANGES.steps),
  rate: numberField(0.003, RANGES.rate),
  text: textField(VERSE),
  layer: numberField(0, RANGES.layer),
  head: numberField(0, RANGES.head),
  prompt: textField('春'),
  temperature: numberField(1, RANGES.temperature),
  autostart: flagField(false),
};
/** What a link must hold to make the same run. */
const IDENTITY = ['preset', 'attention', 'seed', 'steps', 'rate'] as const;

const settingsOf = ({preset, attention, seed, steps, rate}: Settings): Settings => ({
  preset,
  attention,
  seed,
  steps,
  rate,
});
const lookOf = ({text, layer, head, prompt, temperature}: TrainState): Look => ({
  text,
  layer,
  head,
  prompt,
  temperature,
});

const kindOf = (id: Settings['attention']): Kind =>
  KINDS.find((kind) => kind.id === id) ?? {id, name: id, mark: '✗'};
const sizeName = (id: Preset): string => SIZES.find((size) => size.id === id)?.name ?? id;
const nameOf = ({preset, attention}: Pick<Settings, 'preset' | 'attention'>): string =>
  `${sizeName(preset)}，${kindOf(attention).name}`;

/** Records that were fetched because they are not among those of the first seed, by name. */
const shelf = new Map<string, CaseRecord>();

function compute(
  _resources: Resources,
  state: TrainState,
  {records, others}: CaseContent,
): TrainResult {
  const find = (attention: Settings['attention']) =>
    keyFor<RecordKey>([...records, ...others], {...state, attention});
  const asked = [find(state.attention), find(state.attention === 'scaled' ? 'unscaled' : 'scaled')];
  const [record = null, other = null] = asked.map(
    (key) =>
      (key &&
        (records.find(({experiment}) => experiment === key.experiment) ??
          shelf.get(key.experiment))) ??
      null,
  );
  const missing = asked.find((key, i) => key && !(i === 0 ? record : other));
  return {
    record,
    other,
    wanted: missing ? `case/${missing.experiment}` : null,
    live: null,
    agreement: null,
    elsewhere: null,
    kept: null,
  };
}

// Pictures

const look = (id: Settings['attention']): {token: Token; dashed: boolean} =>
  id === 'scaled' ? {token: 'right', dashed: false} : {token: 'wrong', dashed: true};

function recordName({attention, seed}: CaseRecord): string {
  const {mark, name} = kindOf(attention);
  return `${mark} ${name}，记录（种子${plain(seed)}）`;
}

function namesOf(state: TrainState, {record, other, live}: TrainResult): Name[] {
  const {mark, name} = kindOf(state.attention);
  return [
    ...[record, other].flatMap((each) =>
      each ? [{text: recordName(each), ...look(each.attention), live: false}] : [],
    ),
    ...(live ? [{text: `${mark} ${name}，现场`, ...look(state.attention), live: true}] : []),
  ];
}

function seriesOf(
  state: TrainState,
  {record, other, live}: TrainResult,
  ofRecord: (record: CaseRecord) => Series['points'],
  ofLive: (live: Live) => Series['points'],
): Series[] {
  return [
    ...[other, record].flatMap((each) =>
      each ? [{points: ofRecord(each), ...look(each.attention), live: false}] : [],
    ),
    ...(live ? [{points: ofLive(live), ...look(state.attention), live: true}] : []),
  ];
}

const DIAGNOSTICS = [
  {
    key: 'entropy',
    title: '熵H：1是平分，0是独占',
    scale: 'linear',
    least: [0, 1],
    show: (value: number) => general(value, 3),
  },
  {
    key: 'logitDeviation',
    title: 'logit的标准差（对数轴）',
    scale: 'log',
    least: [0.1, 10],
    show: (value: number) => general(value, 3),
  },
  {
    key: 'jacobianNorm',
    title: '雅可比范数‖J‖（对数轴）',
    scale: 'log',
    least: [0.1, 1],
    show: (value: number) => general(value, 2),
  },
] as const;

function view(state: TrainState, result: TrainResult): TemplateResult {
  const {record, other, live} = result;
  const steps = Math.max(state.steps, record?.stepsDone ?? 0, other?.stepsDone ?? 0);
  const names = namesOf(state, result);
  const vocabulary = record?.vocabulary ?? other?.vocabulary;
  const mark = vocabulary
    ? {value: Math.log(vocabulary), label: `瞎猜：ln ${plain(vocabulary)}`}
    : undefined;
  return html`${names.length > 0 ? legend(names) : nothing}
    <div class="charts">
      ${chart({
        title: '损失（每步一批，nat）',
        scale: 'linear',
        steps,
        least: [5, 7.2],
        show: (value) => fixed(value, 2),
        series: seriesOf(state, result, recordedLosses, ({curve}) =>
          curve.losses.map((loss, step) => [step, loss]),
        ),
        ...(mark && {mark}),
      })}
      ${DIAGNOSTICS.map(({key, ...panel}) =>
        chart({
          ...panel,
          steps,
          series: seriesOf(
            state,
            result,
            ({diagnostics}) => measured(diagnostics, key),
            ({curve}) => measured(curve.diagnostics, key),
          ),
        }),
      )}
    </div>
    ${live ? learning(live) : poemOf(record)}`;
}

function poemOf(record: CaseRecord | null): unknown {
  if (!record?.poem) return nothing;
  const {prompt, text} = record.poem;
  return html`<p class="reading">记录的那次练完之后，从「${prompt}」写起：${poem(prompt + text)}</p>
    ${aboutUnknown(text)}`;
}

const poem = (text: string): string =>
  text
    .trim()
    .replace(/<unk>|<pad>/g, shownCharacter('<unk>'))
    .replaceAll('\n', ' ／ ');

/** Why a poem or a line has boxes in it. */
const aboutUnknown = (text: string): unknown =>
  text.includes('<unk>')
    ? html`<p class="reading">
        ${shownCharacter('<unk>')}是词表外的字：词表只收语料里最常见的字，语料是繁体。它们合起来比哪一个字都常见，温度越低，写出来的就越多。
      </p>`
    : nothing;

/** What the model does by now. */
function learning({sight, poems}: Live): unknown {
  if (!sight) return nothing;
  const {map} = sight;
  return html`<div class="charts">
      <div>
        ${map ? attentionMap(map) : html`<p class="reading">写一句诗，就能看到它怎样读。</p>`}
      </div>
      <div>
        <h3>它写的诗</h3>
        <ul class="sums">
          ${poems.filter(({steps}) => steps < sight.steps).map(({steps, poem: text}) => html`<li><b>${integer(steps)}步</b>${poem(text)}</li>`)}
          <li>
            <b>${integer(sight.steps)}步</b
            >${sight.poem === null ? '写不出来：它的分数已经不是有限的数。' : poem(sight.poem)}
          </li>
        </ul>
      </div>
    </div>
    ${aboutUnknown([...(map?.characters ?? []), sight.poem].join(''))}`;
}

// Words

const FAILURES: Record<Failure, string> = {
  'no-module': '训练用的模块没有取到，请检查网络后再点开始。',
  'no-corpus':
    '这个站点上没有语料data/tang.txt（构建时没能取到），所以不能现场练；记录的曲线不受影响。',
  'wrong-corpus': '取到的语料不是记录用的那一份，练出来不会相同，所以没有开始。',
  crashed: '训练出了错，停下了；图上留着已经走过的步。可以再点开始。',
};

function agreementText({agreement: found, record}: TrainResult): string {
  if (!record) return '这组设定没有记录可比。';
  if (!found) return '';
  const {compared, firstDifference, until, why} = found;
  const limits = {
    whole: '',
    steps: `记录走了${integer(record.steps)}步，学习率的安排不同，只有前${integer(until)}步可比。`,
    rate: until === 0 ? '学习率与记录不同，不比。' : `改过学习率，只有前${integer(until)}步可比。`,
  };
  if (firstDifference !== null)
    return `✗ 从第${integer(firstDifference)}步起与记录不同。${limits[why]}`;
  return `${compared > 0 ? `✓ 与记录逐位相同：比了${integer(compared)}个数。` : ''}${limits[why]}`;
}

function endText({end}: Live, {record, agreement: found}: TrainResult): string {
  if (!end) return '';
  const same =
    record && found?.why === 'whole' && record.parameterHash === end.hash
      ? '，全部参数的指纹也与记录相同'
      : '';
  return end.validationLoss === null
    ? ''
    : `留出的诗上损失${fixed(end.validationLoss, 3)}${same}。`;
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;
const LAST = 50;

function saysLive(live: Live, result: TrainResult): string {
  const {phase, curve, settings, failure, shape} = live;
  const steps = curve.losses.length;
  if (phase === 'failed') return FAILURES[failure ?? 'crashed'];
  if (phase === 'loading') return '正在取模块和语料……';
  const loss = curve.losses.at(-1);
  const at =
    loss === undefined ? '还没走一步' : `走了${integer(steps)}步，这一批的损失${fixed(loss, 3)}`;
  if (phase === 'diverged')
    return `走了${integer(steps)}步，下一步发散：损失或梯度不再是有限的数，训练停在这里。学习率${plain(settings.rate)}太大时就会这样。`;
  if (phase === 'done')
    return `练完了，${integer(steps)}步；末${Math.min(LAST, steps)}步平均损失${fixed(mean(curve.losses.slice(-LAST)), 3)}。${endText(live, result)}${agreementText(result)}`;
  const doing = {
    running: '正在练',
    paused: live.waiting ? '标签页在后台，先等着' : '暂停了',
    stopped: '停下了',
  }[phase];
  const vocabulary = result.record?.vocabulary ?? result.other?.vocabulary;
  const lost =
    loss !== undefined && vocabulary && loss > 2 * Math.log(vocabulary)
      ? '比瞎猜还差得多：学习率太大。'
      : '';
  const still = settings.rate === 0 ? '学习率是0，参数不动，损失只随抽到的诗变。' : '';
  return `${doing}：${shape ? `${integer(shape.parameters)}个参数，` : ''}${at}。${lost}${still}${agreementText(result)}`;
}

function saysRecord({record, other}: TrainResult, state: TrainState): string {
  if (!record)
    return `${nameOf(state)}、种子${plain(state.seed)}没有记录；点「开始」，可以现场练。`;
  const [first, last] = [record.diagnostics[0], record.diagnostics.at(-1)];
  const course =
    first && last
      ? `；H从${general(first.entropy, 3)}到${general(last.entropy, 2)}，logit的标准差从${general(first.logitDeviation, 2)}到${general(last.logitDeviation, 3)}，‖J‖从${general(first.jacobianNorm, 2)}到${general(last.jacobianNorm, 2)}`
      : '';
  const loss = (of: CaseRecord) => (of.finalLoss === null ? '发散' : fixed(of.finalLoss, 2));
  const beside =
    other && other.steps === record.steps
      ? `（${kindOf(other.attention).name}是${loss(other)}）`
      : '';
  return `记录的一次，${nameOf(record)}：${integer(record.stepsDone)}步，末${LAST}步平均损失${loss(record)}${beside}${course}。`;
}

function says(state: TrainState, result: TrainResult): string {
  return result.live ? saysLive(result.live, result) : saysRecord(result, state);
}

/** Every so many steps the table at rest has a row. */
const REST_EVERY = 50;

function table(_state: TrainState, {record, live}: TrainResult): Table {
  const recorded = new Map(record ? recordedLosses(record) : []);
  const byStep = (all: readonly DiagnosticsAt[]) => new Map(all.map((at) => [at.step, at]));
  const [ofRecord, ofLive] = [
    byStep(record?.diagnostics ?? []),
    byStep(live?.curve.diagnostics ?? []),
  ];
  const done = live?.curve.losses.length ?? 0;
  const steps = [
    ...new Set([
      ...recorded.keys(),
      ...ofRecord.keys(),
      ...ofLive.keys(),
      ...(done > 0 ? [done - 1] : []),
    ]),
  ]
    .filter((step) => (live ? step < done : step % REST_EVERY === 0 || ofRecord.has(step)))
    .sort((a, b) => a - b);
  const digits = (value: number | undefined) => (value === undefined ? '' : plain(value));
  return {
    columns: [
      '步',
      '记录的损失',
      '现场的损失',
      '相同',
      '熵H',
      'logit标准差',
      '‖J‖',
      '梯度范数',
      '学习率',
    ],
    rows: steps.map((step) => {
      const [there, here] = [recorded.get(step), live?.curve.losses[step]];
      const at = ofLive.get(step) ?? (live ? undefined : ofRecord.get(step));
      return [
        integer(step),
        digits(there),
        digits(here),
        there === undefined || here === undefined ? '' : there === here ? '✓' : '✗',
        digits(at?.entropy),
        digits(at?.logitDeviation),
        digits(at?.jacobianNorm),
        digits(live?.curve.gradientNorms[step]),
        digits(live?.curve.learningRates[step]),
      ];
    }),
  };
}

function steps(): TemplateResult {
  return html`<ol class="steps">
    <li>每一步从语料前九成的诗里均匀地抽一批，要它猜每个字的下一个。</li>
    <li>损失是−ln(给那个字的概率)的平均。全凭瞎猜，就是ln(词表大小)。</li>
    <li>梯度整个缩到范数不超过1，再走一步AdamW；学习率先升后降，降到最高点的十分之一。</li>
    <li>H、logit的标准差和‖J‖量的是第一层，用这一步的这一批，在更新之前。</li>
    <li>
      粗线是这一页现在算的，细线是事先在本机算好存下的。两边跑的是同一份C++，所以每一位都该相同。
    </li>
  </ol>`;
}

// The page's one run

/** SHA-256 of the text that the records are made of; the widget that starts says it. */
let corpusHash: string | undefined;

/** The text, which must be the records'; where the page can't tell, the comparison will. */
async function fetchCorpus(): Promise<string> {
  const url = new URL('../data/tang.txt', new URL(runtime.contentBase, location.href));
  const response = await fetch(url).catch(() => undefined);
  if (!response?.ok) throw new Missing('no-corpus');
  const bytes = await response.arrayBuffer();
  const text = new TextDecoder().decode(bytes);
  // A server that answers every address with a page.
  if (text.trimStart().startsWith('<')) throw new Missing('no-corpus');
  if (corpusHash !== undefined && 'subtle' in crypto) {
    const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
    if ([...hash].map((byte) => byte.toString(16).padStart(2, '0')).join('') !== corpusHash)
      throw new Missing('wrong-corpus');
  }
  return text;
}

const desk = new TrainDesk({
  open: async (options) => (await import('../training/port.js')).openPort(options),
  corpus: fetchCorpus,
});

let watching = false;

/** A tab that is hidden may be closed next. */
function watchPage(): void {
  if (watching) return;
  watching = true;
  document.addEventListener('visibilitychange', () => desk.visible(!document.hidden));
  addEventListener('pagehide', () => desk.save());
}

/** Between two attn-change events that only tell of progress. */
const CHANGE_MS = 1000;

/**
 * Live training.
 *
 * @attr preset attention seed steps rate text layer head prompt temperature autostart
 * @fires attn-change  detail: {state, result}; at most once a second while it learns
 */
export class AttnTrain extends AttnWidget<TrainState, TrainResult, CaseContent> {
  static override readonly spec: Spec<TrainState, TrainResult, CaseContent> = {
    tag: 'attn-train',
    title: (state) => `现场训练：${nameOf(state)}`,
    hint: '点开始，模型就在这一页里从头学写诗；细线是事先录下的同一次，看它们是不是每一位都相同。',
    schema,
    content: ({preset}) => `case/${preset}`,
    compute,
    view,
    says,
    table,
    steps,
  };

  #began = false;
  #toldAt = 0;
  #told = '';
  readonly #asked = new Set<string>();

  override connectedCallback(): void {
    super.connectedCallback();
    watchPage();
    desk.addEventListener('change', this.#onChange);
    desk.addEventListener('phase', this.#onPhase);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    desk.removeEventListener('change', this.#onChange);
    desk.removeEventListener('phase', this.#onPhase);
  }

  protected override firstUpdated(): void {
    super.firstUpdated();
    this.refresh();
  }

  /** The first drawing is the build's; after that, what the page's run does is part of the result. */
  protected override completed(result: TrainResult, state: TrainState): TrainResult {
    if (!this.hasUpdated) return result;
    const {live} = desk;
    const mine = live && sameRun(live.settings, state) ? live : null;
    return {
      ...result,
      live: mine,
      agreement: mine && result.record ? agreement(result.record, mine.settings, mine.curve) : null,
      elsewhere: busy(live) && !mine ? live.settings : null,
      kept: desk.kept,
    };
  }

  protected override change(patch: Partial<TrainState>): void {
    super.change(patch);
    const {state, result} = this;
    if (result?.live) {
      if (patch.rate !== undefined) desk.setRate(state.rate);
      desk.look(lookOf(state));
    }
  }

  protected override controls(state: TrainState, result: TrainResult): TemplateResult {
    const {live} = result;
    const going = busy(live);
    const chosen = <T extends string>(id: T, now: T, name: string) =>
      html`<option value=${id} ?selected=${id === now}>${name}</option>`;
    const picked = (event: Event) => (event.target as HTMLSelectElement).value;
    const box = (key: 'seed' | 'steps' | 'rate', label: string, disabled: boolean) =>
      numberBox(this, {
        key,
        label,
        value: state[key],
        ...RANGES[key],
        ...(key === 'rate' && {by: 0.001}),
        disabled,
        set: (value) => this.change({[key]: value}),
      });
    return html`<div class="dials">
        <label class="number"
          ><span>模型</span
          ><select
            ?disabled=${going}
            @change=${(event: Event) => this.change({preset: picked(event) as Preset})}
          >
            ${SIZES.map(({id, name}) => chosen(id, state.preset, name))}
          </select></label
        >
        <label class="number"
          ><span>注意力</span
          ><select
            ?disabled=${going}
            @change=${(event: Event) => this.change({attention: picked(event) as Settings['attention']})}
          >
            ${KINDS.map(({id, name, mark}) => chosen(id, state.attention, `${mark} ${name}`))}
          </select></label
        >
        <span class="group seed">${box('seed', '种子', going)}</span
        >${box('steps', '步数', going)}${box('rate', '学习率', false)}
      </div>
      <div class="row" role="group" aria-label="训练">
        ${this.#button('开始', !going && !result.elsewhere && this.content !== undefined, this.#start)}
        ${live?.phase === 'paused' && !live.waiting ? this.#button('继续', true, () => desk.resume()) : this.#button('暂停', live?.phase === 'running', () => desk.pause())}
        ${this.#button('停下', going, () => desk.stop())} ${this.#takeUp(state, result)}
      </div>
      ${this.#notes(result)} ${live?.sight ? this.#sightControls(state) : nothing}
      <p class="spoken" role="status">${this.#told || nothing}</p>`;
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    // A select that was used no longer follows its options; the state decides.
    for (const select of this.renderRoot.querySelectorAll('select'))
      select.value = select.querySelector<HTMLOptionElement>('option[selected]')?.value ?? '';
    const {state, result} = this;
    if (this.content === undefined || !result) return;
    if (result.wanted) this.#fetch(result.wanted);
    if (state.autostart && !this.#began) this.#start();
    this.#began = true;
  }

  /** Stays where it is and keeps the focus, whether it can be used or not. */
  #button(name: string, usable: boolean, act: () => void): TemplateResult {
    return html`<button
      type="button"
      class="chip"
      aria-disabled=${usable ? 'false' : 'true'}
      @click=${() => {
        if (usable) act();
      }}
    >
      ${name}
    </button>`;
  }

  #takeUp(state: TrainState, {kept, elsewhere, live}: TrainResult): unknown {
    if (elsewhere) {
      return html`<span class="reading">这一页正在练：${nameOf(elsewhere)}。</span>
        <button type="button" class="chip" @click=${() => this.change(settingsOf(elsewhere))}>
          看它
        </button>`;
    }
    if (!kept?.saved || (live?.phase === 'done' && sameRun(kept.settings, live.settings)))
      return nothing;
    const which = sameRun(kept.settings, state) ? '' : `${nameOf(kept.settings)}，`;
    return html`<button type="button" class="chip" @click=${() => this.#resume(kept)}>
      接着上次练（${which}第${integer(kept.saved)}步）
    </button>`;
  }

  #notes({live, kept}: TrainResult): TemplateResult | typeof nothing {
    const notes: string[] = [];
    if (live && busy(live)) {
      const {secondsPerStep, curve, settings, where, threads, saved, hidden, resumedAt, phase} =
        live;
      const loss = curve.losses.at(-1);
      notes.push(
        `第${integer(curve.losses.length)}步，共${integer(settings.steps)}步${loss === undefined ? '' : `，损失${fixed(loss, 3)}`}。`,
      );
      if (where === 'page')
        notes.push(
          '这里不让开后台线程，只好在页面里一步一步地练，点击会慢半拍；切到别的标签页时它就停下等你。',
        );
      if (secondsPerStep !== null && phase === 'running') {
        const left = (settings.steps - curve.losses.length) * secondsPerStep;
        notes.push(
          `${threads > 1 ? `${threads}个线程一起算，` : ''}每步约${general(secondsPerStep, 2)}秒，还要${left < 90 ? `${integer(left)}秒` : `${integer(left / 60)}分钟`}。`,
        );
      }
      if (resumedAt > 0) notes.push(`从第${integer(resumedAt)}步接着练的。`);
      if (hidden && hidden.to > hidden.from)
        notes.push(
          `你离开时走到第${integer(hidden.from)}步，它在后台接着练，回来时第${integer(hidden.to)}步。`,
        );
      if (saved !== null) notes.push(`已存到第${integer(saved)}步，刷新之后可以接着练。`);
    } else if (kept && !live) {
      notes.push(
        kept.saved === null
          ? `上次练${nameOf(kept.settings)}到第${integer(kept.steps)}步；这个浏览器没有存下，只能从头练。`
          : `上次练${nameOf(kept.settings)}到第${integer(kept.steps)}步，存下的是第${integer(kept.saved)}步。`,
      );
    }
    return notes.length > 0 ? html`<p class="reading">${notes.join('')}</p>` : nothing;
  }

  #sightControls(state: TrainState): TemplateResult {
    const heads = SIZES.find(({id}) => id === state.preset)?.heads ?? 1;
    const words = (key: 'text' | 'prompt', label: string) => {
      const take = (event: Event) => this.change({[key]: (event.target as HTMLInputElement).value});
      return html`<label class="number list"
        ><span>${label}</span
        ><input
          type="text"
          autocomplete="off"
          spellcheck="false"
          .value=${liveValue(state[key])}
          @input=${(event: InputEvent) => {
            if (!event.isComposing) take(event);
          }}
          @compositionend=${take}
      /></label>`;
    };
    const pick = (key: 'layer' | 'head', label: string, count: number) =>
      numberBox(this, {
        key,
        label,
        value: Math.min(state[key], count - 1),
        min: 0,
        max: count - 1,
        integer: true,
        set: (value) => this.change({[key]: value}),
      });
    return html`<div class="dials">
      ${words('text', '读哪一句')}${pick('layer', '层，从0数', LAYERS)}${heads > 1 ? pick('head', '头，从0数', heads) : nothing}
      ${words('prompt', '从哪里写起')}${numberBox(this, {key: 'temperature', label: '温度', value: state.temperature, ...RANGES.temperature, by: 0.1, set: (temperature) => this.change({temperature})})}
    </div>`;
  }

  #start = (): void => {
    const {state} = this;
    // Another model was chosen and its record is on its way.
    if (this.content === undefined) return;
    corpusHash = this.content.records[0]?.corpus;
    this.#toUrl(state);
    void desk.start(settingsOf(state), lookOf(state));
  };

  #resume({settings}: Kept): void {
    this.change(settings);
    this.#toUrl(settings);
    void desk.start(settings, lookOf(this.state), true);
  }

  /** So that a reload, or whoever is given the address, finds the same run. */
  #toUrl(settings: Settings): void {
    const query = IDENTITY.map(
      (key) => `${key}=${(schema[key] as Field<unknown>).write(settings[key])}`,
    ).join('&');
    try {
      history.replaceState(null, '', `#${encodeURI(this.id || this.localName)}?${query}`);
    } catch {
      // A frame whose address is not its own.
    }
  }

  #onChange = (): void => {
    // Nobody looks; coming back changes something, too.
    if (document.hidden && busy(desk.live)) return;
    this.refresh();
    const now = Date.now();
    if (now - this.#toldAt >= CHANGE_MS) this.#announce();
  };

  /** A reader who does not see the picture is told of turns, not of every step. */
  #onPhase = (): void => {
    const {state, result} = this;
    if (!result?.live) return;
    this.#told = says(state, result);
    this.requestUpdate();
    this.#announce();
  };

  #announce(): void {
    const {state, result} = this;
    if (!result?.live) return;
    this.#toldAt = Date.now();
    this.dispatchEvent(
      new CustomEvent('attn-change', {bubbles: true, composed: true, detail: {state, result}}),
    );
  }

  /** A record that did not come with the page. */
  #fetch(name: string): void {
    if (this.#asked.has(name)) return;
    this.#asked.add(name);
    void fetch(`${runtime.contentBase}${name}.json`)
      .then((response) =>
        response.ok ? response.json() : Promise.reject(new Error(`${name}: ${response.status}`)),
      )
      .then((record: CaseRecord) => {
        shelf.set(record.experiment, record);
        this.refresh();
      })
      .catch((error: unknown) => console.warn('attn-lessons: no record', error));
  }
}
