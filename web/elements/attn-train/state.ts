// State of <attn-train>: its fields, their ranges, and the data that belongs to a state.

import {SEEDS} from '../../shared/experiment.js';
import {InputError} from '../../shared/input.js';
import type {Resources} from '../../shared/runtime.js';
import {
  choiceField,
  type Field,
  flagField,
  numberField,
  sampleText,
  type Schema,
} from '../../shared/schema.js';
import type {Kept, Live} from '../../training/desk.js';
import {
  type Look,
  type Preset,
  PRESETS,
  type Settings,
  type Sizes,
} from '../../training/protocol.js';
import type {Agreement} from '../../training/agreement.js';
import type {Moment, Moments} from '../../training/moments.js';
import {type CaseContent, type CaseRecord, keyFor, type RecordKey} from '../../training/records.js';

export interface TrainState extends Settings {
  /** 小模型42.6万参数、4个头；大模型137.6万参数、1个头；own是自己定 */
  preset: Preset;
  /** 缩放、不缩放，或一种埋进去的错 */
  attention: Settings['attention'];
  /** 自己定的模型有几层 */
  layers: number;
  /** 自己定的模型每层有几个头 */
  heads: number;
  /** 自己定的模型有多宽，是头数的倍数 */
  width: number;
  /** 自己定的模型一次看几个字 */
  window: number;
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
  /** 记录回放到哪里：0是第一步之前，1是练完 */
  at: number;
}

export interface TrainResult {
  /** The record of these settings, once it is loaded. */
  record: CaseRecord | null;
  /** True if there is such a record, loaded or not. */
  recorded: boolean;
  /** The record of the same seed to compare with: the other side of ÷√d, or the small model. */
  other: CaseRecord | null;
  /** The loss of even guesses, ln of the vocabulary, in nats; null without a record. */
  blind: number | null;
  /** The content file of the record, or of its moments, while it is not loaded. */
  wanted: string | null;
  /** Steps of the record that the replay has reached. */
  reached: number;
  /** The last recorded moment until then; null without one, or while they are not loaded. */
  moment: Moment | null;
  /** The page's run, if it has these settings. */
  live: Live | null;
  agreement: Agreement | null;
  /** The page's run, if it has other settings. */
  elsewhere: Settings | null;
  /** The last run that this browser kept. */
  kept: Kept | null;
}

interface Kind {
  id: Settings['attention'];
  name: string;
  mark: '✓' | '✗';
}

export const KINDS: readonly Kind[] = [
  {id: 'scaled', name: '÷√d', mark: '✓'},
  {id: 'unscaled', name: '不缩放', mark: '✗'},
  {id: 'hidden-as-zero', name: '遮住的记0分', mark: '✗'},
  {id: 'scaled-after-softmax', name: 'softmax之后才÷√d', mark: '✗'},
  {id: 'no-max-subtraction', name: '不减最大值', mark: '✗'},
  {id: 'divided-by-width', name: '÷d', mark: '✗'},
];

export const MODELS: readonly {id: Preset; name: string}[] = [
  {id: 'small', name: '小模型'},
  {id: 'large', name: '大模型'},
  {id: 'own', name: '自己定'},
];

/** The quoted loss is the mean of the last steps. */
export const LAST = 50;

/** 萬里邊城遠…, a poem of the corpus. */
const VERSE = '萬里邊城遠，千山行路難。舉頭唯見日，何處是長安。';

export const RANGES = {
  seed: SEEDS,
  steps: {min: 1, max: 100_000, integer: true},
  rate: {min: 0, max: 1e6},
  // A step of the largest model takes a few seconds, and its module some 300 MB.
  layers: {min: 1, max: 4, integer: true},
  heads: {min: 1, max: 8, integer: true},
  width: {min: 8, max: 256, integer: true},
  window: {min: 8, max: 128, integer: true},
  layer: {min: 0, max: 3, integer: true},
  head: {min: 0, max: 7, integer: true},
  temperature: {min: 0, max: 100},
};

const textField = (fallback: string): Field<string> => ({
  fallback,
  read: (text) => text,
  write: (text) => text,
  about: import.meta.env.SSR ? {takes: '任何文字', sample: sampleText} : undefined,
});

export const schema: Schema<TrainState> = {
  preset: choiceField<Preset>(
    'small',
    MODELS.map(({id}) => id),
  ),
  attention: choiceField<Settings['attention']>(
    'scaled',
    KINDS.map(({id}) => id),
  ),
  layers: numberField(PRESETS.small.layers, RANGES.layers),
  heads: numberField(PRESETS.small.heads, RANGES.heads),
  width: numberField(PRESETS.small.width, RANGES.width),
  window: numberField(PRESETS.small.window, RANGES.window),
  seed: numberField(20261014, RANGES.seed),
  steps: numberField(1500, RANGES.steps),
  rate: numberField(0.003, RANGES.rate),
  text: textField(VERSE),
  layer: numberField(0, RANGES.layer),
  head: numberField(0, RANGES.head),
  prompt: textField('春'),
  temperature: numberField(1, RANGES.temperature),
  autostart: flagField(false),
  at: numberField(1, {min: 0, max: 1}),
};

export function sizesOf({preset, layers, heads, width, window}: Settings): Sizes {
  return preset === 'own' ? {layers, heads, width, window} : PRESETS[preset];
}

export const settingsOf = (settings: Settings): Settings => {
  const {preset, attention, seed, steps, rate} = settings;
  return {preset, attention, seed, steps, rate, ...sizesOf(settings)};
};

export const lookOf = ({text, layer, head, prompt, temperature}: TrainState): Look => ({
  text,
  layer,
  head,
  prompt,
  temperature,
});

export const kindOf = (id: Settings['attention']): Kind =>
  KINDS.find((kind) => kind.id === id) ?? {id, name: id, mark: '✗'};

type Named = Pick<Settings, 'preset' | 'attention'> & Partial<Sizes>;

/** The model in words, by its sizes where they are a reader's own. */
function modelName({preset, layers, heads, width, window}: Named): string {
  if (preset === 'own') return `${layers}层、${heads}个头、宽${width}、窗口${window}`;
  return MODELS.find(({id}) => id === preset)?.name ?? preset;
}

export const nameOf = (settings: Named): string =>
  `${modelName(settings)}，${kindOf(settings.attention).name}`;

/** Fetched records that are not among those of the first seed, by name. */
export const shelf = new Map<string, CaseRecord>();

/** Fetched moments of records, by the record's name. */
export const album = new Map<string, Moments>();

/** Steps of a record at a place of the playhead. */
const stepsAt = (at: number, {stepsDone}: CaseRecord): number => Math.round(at * stepsDone);

function momentOf(record: CaseRecord | null, reached: number): Moment | null {
  if (!record?.course) return null;
  const {last} = record.course;
  if (reached >= last.steps) return last;
  const all = album.get(record.experiment)?.moments ?? [];
  return all.findLast(({steps}) => steps <= reached) ?? null;
}

export function compute(
  {core}: Resources,
  state: TrainState,
  {records, others}: CaseContent,
): TrainResult {
  const {preset, heads, width} = state;
  const own = preset === 'own';
  if (own && width % heads !== 0)
    throw new InputError('not-a-multiple', `宽${width}分不成${heads}个头：宽要是头数的倍数。`);
  const find = (attention: Settings['attention']) =>
    keyFor<RecordKey>([...records, ...others], {
      ...state,
      preset: own ? 'small' : preset,
      attention,
    });
  // A reader's own model is compared with the small one.
  const keys = own
    ? [undefined, find(state.attention)]
    : [find(state.attention), find(state.attention === 'scaled' ? 'unscaled' : 'scaled')];
  const [record = null, other = null] = keys.map(
    (key) =>
      (key &&
        (records.find(({experiment}) => experiment === key.experiment) ??
          shelf.get(key.experiment))) ??
      null,
  );
  const missing = keys.find((key, i) => key && !(i === 0 ? record : other));
  const vocabulary = record?.vocabulary ?? other?.vocabulary;
  const reached = record ? stepsAt(state.at, record) : 0;
  const moment = momentOf(record, reached);
  const absent = record?.course && !moment ? `case/${record.experiment}-moments` : null;
  return {
    record,
    recorded: keys[0] !== undefined,
    other,
    blind: vocabulary ? core.log(vocabulary) : null,
    wanted: missing ? `case/${missing.experiment}` : absent,
    reached,
    moment,
    live: null,
    agreement: null,
    elsewhere: null,
    kept: null,
  };
}
