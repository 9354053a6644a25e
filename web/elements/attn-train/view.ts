// Pictures of <attn-train>: curves beside the records, the attention map, poems.

import {html, nothing, type TemplateResult} from 'lit';
import {fixed, general, integer, plain} from '../../shared/format.js';
import type {Token} from '../../shared/plot.js';
import {roundAbove} from '../../shared/scale.js';
import type {Live} from '../../training/desk.js';
import {chart, legend, measured, type Name, type Series} from '../../training/figure.js';
import {attentionMap, headMaps, type HeadMap} from '../../training/maps.js';
import type {Settings} from '../../training/protocol.js';
import {type Moment, rowsOfMap} from '../../training/moments.js';
import {type CaseRecord, recordedLosses} from '../../training/records.js';
import {livePart} from './live-part.js';
import {aboutUnknown, poem} from './poem.js';
import {kindOf, type TrainResult, type TrainState} from './state.js';

const look = (id: Settings['attention']): {token: Token; dashed: boolean} =>
  id === 'scaled' ? {token: 'right', dashed: false} : {token: 'wrong', dashed: true};

function recordName({preset}: TrainState, {attention, seed}: CaseRecord): string {
  const {mark, name} = kindOf(attention);
  // The name of the other model leaves a phone no room for the whole.
  return preset === 'own'
    ? `${mark} 小模型，${name}，种子${plain(seed)}`
    : `${mark} ${name}，记录（种子${plain(seed)}）`;
}

function namesOf(state: TrainState, {record, other, live}: TrainResult): Name[] {
  const {mark, name} = kindOf(state.attention);
  return [
    ...[record, other].flatMap((each) =>
      each ? [{text: recordName(state, each), ...look(each.attention), live: false}] : [],
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
    // Two digits of a small number: the margin of a phone has room for no more.
    show: (value: number) => general(value, value < 0.01 ? 2 : 3),
  },
  {
    key: 'logitDeviation',
    title: 'logit的标准差（对数轴）',
    scale: 'log',
    show: (value: number) => general(value, 3),
  },
  {
    key: 'jacobianNorm',
    title: '雅可比范数‖J‖（对数轴）',
    scale: 'log',
    show: (value: number) => general(value, 2),
  },
] as const;

/** A live run with a step to draw; until then the replay stays. */
export const drawnRun = ({live}: TrainResult): Live | null =>
  live && live.curve.losses.length > 0 ? live : null;

/** Steps on the axis at the beginning of a live run. */
const FIRST_SPAN = 50;

/** The axis of a live run grows with it, so that its first steps are seen. */
function spanOf(state: TrainState, result: TrainResult): number {
  const {record, other} = result;
  const live = drawnRun(result);
  const whole = Math.max(state.steps, record?.stepsDone ?? 0, other?.stepsDone ?? 0);
  if (!live) return whole;
  return Math.min(whole, roundAbove(Math.max(FIRST_SPAN, live.curve.losses.length)));
}

export type Choose = (chosen: Pick<HeadMap, 'layer' | 'head'>) => void;

/** The pictures; a widget that answers a reader gives `choose`. */
export function view(state: TrainState, result: TrainResult, choose?: Choose): TemplateResult {
  const {record, other} = result;
  const live = drawnRun(result);
  const steps = spanOf(state, result);
  const reached = record && !live && state.at < 1 ? result.reached : null;
  const names = namesOf(state, result);
  const vocabulary = record?.vocabulary ?? other?.vocabulary;
  const mark =
    result.blind !== null && vocabulary
      ? {value: result.blind, label: `瞎猜：ln ${plain(vocabulary)}`}
      : undefined;
  const losses = chart({
    title: '损失（每步一批，nat）',
    scale: 'linear',
    steps,
    reached,
    show: (value) => fixed(value, 2),
    series: seriesOf(state, result, recordedLosses, ({curve}) =>
      curve.losses.map((loss, step) => [step, loss]),
    ),
    ...(mark && {mark}),
  });
  const diagnostics = DIAGNOSTICS.map(({key, ...panel}) =>
    chart({
      ...panel,
      steps,
      reached,
      series: seriesOf(
        state,
        result,
        ({diagnostics}) => measured(diagnostics, key),
        ({curve}) => measured(curve.diagnostics, key),
      ),
    }),
  );
  const seen = live ? null : replayed(state, result, choose);
  return html`${names.length > 0 ? legend(names) : nothing}
  ${
    seen
      ? html`<div class="charts">
            <div>${losses}${seen.heads}</div>
            <div>${seen.map}</div>
          </div>
          <div class="charts">${diagnostics}${seen.poem}</div>`
      : html`<div class="charts">${losses}${diagnostics}</div>
          ${live ? (livePart?.learning(live) ?? nothing) : poemOf(record)}`
  }`;
}

/** The model of the record at the moment that the replay has reached. */
function replayed(
  state: TrainState,
  {record, moment}: TrainResult,
  choose?: Choose,
): {heads: unknown; map: unknown; poem: unknown} | null {
  if (!record?.course) return null;
  const {text, prompt, last} = record.course;
  const shown: Moment = moment ?? {...last, maps: last.maps.map((map) => ({...map, weights: []}))};
  const rows = [...text].length;
  const maps = shown.maps.map(({layer, head, weights}): HeadMap => ({
    layer,
    head,
    rows: weights.length > 0 ? rowsOfMap(weights) : Array.from({length: rows}, () => []),
  }));
  const chosen =
    maps.find(({layer, head}) => layer === state.layer && head === state.head) ??
    maps.find(({layer}) => layer === state.layer) ??
    maps[0];
  const when = moment ? `记录的第${integer(moment.steps)}步：` : '这一刻的图还没有取来：';
  return {
    heads: chosen && headMaps(maps, chosen, choose),
    map: chosen && attentionMap(chosen, [...text], when),
    poem: html`<div>
      <p class="reading">
        ${
          moment
            ? `${when}从「${prompt}」写起，写的是「${poem(prompt + moment.poem)}」`
            : `${when}诗也在里面。`
        }
      </p>
      ${aboutUnknown('<unk>')}
    </div>`,
  };
}

function poemOf(record: CaseRecord | null): unknown {
  if (!record?.poem) return nothing;
  const {prompt, text} = record.poem;
  return html`<p class="reading">记录的那次练完之后，从「${prompt}」写起：${poem(prompt + text)}</p>
    ${aboutUnknown(text)}`;
}
