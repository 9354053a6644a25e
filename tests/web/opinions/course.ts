// Widgets that arrange the authors' texts: the steps of a layer, the parts of the formula, the
// stations of the timeline.

import type {DataflowState} from '../../../web/elements/attn-dataflow.js';
import type {FormulaState} from '../../../web/elements/attn-formula.js';
import type {TimelineState} from '../../../web/elements/attn-timeline/state.js';
import type {DataflowContent, FormulaContent, TimelineNode} from '../../../web/shared/content.js';
import {plainRich} from '../../../web/shared/rich-text.js';
import type {TeachingWorld} from '../../../web/shared/world.js';
import type {State} from '../random-state.js';
import {type Contents, Reader, type Shown} from './reading.js';

const LESSONS = [
  ...['c3-l01', 'c3-l02', 'c3-l03', 'c3-l04', 'c3-l05', 'c3-l06', 'c3-l07', 'c3-l08'],
  ...['c3-l09', 'c3-l10', 'c3-b1', 'c3-b4', ''],
];

const oneOf = <T>(values: readonly T[], random: () => number): T =>
  values[Math.floor(values.length * random())] as T;

export function dataflowOpinion(
  {current}: DataflowState,
  shown: Shown,
  _world: TeachingWorld,
  contents: Contents,
): string[] {
  const reader = new Reader(shown);
  const {steps} = contents.get('dataflow') as DataflowContent;
  const inLesson = (lesson: string) => steps.filter((step) => step.lesson === lesson);
  const own = inLesson(current);
  const done = LESSONS.slice(0, own.length > 0 ? LESSONS.indexOf(current) : LESSONS.length);
  const learnt = done.flatMap(inLesson);
  reader.table(
    steps.map((step) => [
      step.title,
      step.lesson.replace(/^c3-l0?/, '第').concat('课'),
      own.includes(step) ? '这一课' : learnt.includes(step) ? '学过' : '以后',
      ...[step.shapeIn, step.shapeOut, step.parameters].map(plainRich),
    ]),
  );
  const added = own.map(
    ({title, shapeIn, shapeOut}) =>
      `「${title}」：进去「${plainRich(shapeIn)}」，出来「${plainRich(shapeOut)}」`,
  );
  const before = learnt.length === 0 ? '' : `前面学过${learnt.length}步。`;
  reader.is(
    shown.says,
    own.length === 0
      ? `解码层里的${steps.length}步都在这里。`
      : `${before}这一课加上${added.join('；')}。虚线框里的以后再学。`,
    'says',
  );
  return reader.wrong;
}

export const sampleDataflow = (state: State, random: () => number): State => ({
  ...state,
  current: oneOf(LESSONS, random),
});

export function formulaOpinion(
  {part}: FormulaState,
  shown: Shown,
  _world: TeachingWorld,
  contents: Contents,
): string[] {
  const reader = new Reader(shown);
  const {parts} = contents.get('formula') as FormulaContent;
  const names = {
    q: `Q ${parts.q.name}`,
    k: `Kᵀ ${parts.k.name}`,
    product: `QKᵀ ${parts.product.name}`,
    divide: `÷ ${parts.divide.name}`,
    sqrt: `√d_k ${parts.sqrt.name}`,
    softmax: `softmax ${parts.softmax.name}`,
  };
  reader.table(
    Object.values(names).map((name) => {
      const own = Object.values(parts).find((each) => name.endsWith(` ${each.name}`));
      return [name, plainRich(own?.what ?? []), plainRich(own?.why ?? [])];
    }),
  );
  reader.is(shown.says, `现在看的是${names[part].replace(' ', '：')}。`, 'says');
  return reader.wrong;
}

/** The station that takes up where another one is stuck. */
function followerOf(node: TimelineNode, nodes: readonly TimelineNode[]): TimelineNode | undefined {
  if (node.next) return nodes.find(({id}) => id === node.next);
  if (node.branch) return undefined;
  const behind = nodes.slice(nodes.indexOf(node) + 1).filter(({track}) => track === node.track);
  return behind.find(({branch}) => !branch) ?? behind[0];
}

export function timelineOpinion(
  {current, node: asked}: TimelineState,
  shown: Shown,
  _world: TeachingWorld,
  contents: Contents,
): string[] {
  const reader = new Reader(shown);
  const nodes = contents.get('timeline') as TimelineNode[];
  const isHere = ({lesson = []}: TimelineNode) => [lesson].flat().includes(current);
  reader.table(
    nodes.map((node) => [
      node.label + (isHere(node) ? '（你在这里）' : ''),
      node.track === 'train' ? '训练' : '生成',
      node.title,
      node.source,
      node.links.map(({label}) => label).join('、'),
    ]),
  );
  const chosen = nodes.find((node) => node.id === asked && !isHere(node));
  const here = nodes.find(isHere);
  const before = (of: TimelineNode) => nodes.filter((node) => followerOf(node, nodes) === of);
  const solves = (of: TimelineNode) => {
    const [first, ...more] = before(of).map(
      ({title, track}) => (track === of.track ? '' : '另一条线的') + `「${title}」`,
    );
    return first ? `它解开${[first, ...more].join('和')}卡住的地方` : undefined;
  };
  if (chosen) {
    const next = followerOf(chosen, nodes);
    const end = next ? `它自己卡住的地方，留给「${next.title}」。` : '';
    const start = solves(chosen)?.concat('。') ?? '';
    reader.is(shown.says, `${chosen.label}「${chosen.title}」。${start}${end}`, 'says');
  } else if (here?.branch) {
    const main = nodes.slice(0, nodes.indexOf(here)).filter(({branch}) => !branch);
    const leaves = `从「${main.at(-1)?.title}」旁边岔出去`;
    reader.is(shown.says, `你在${here.label}「${here.title}」，${leaves}。`, 'says');
  } else if (here) {
    const next = followerOf(here, nodes);
    const leaves = !next
      ? '这条线上还没有下一站'
      : next.branch
        ? `交给「${next.title}」`
        : `留给${next.track === here.track ? '' : '另一条线的'}「${next.title}」`;
    const start = solves(here) ?? '这条线从它开始';
    const says = `你在${here.label}「${here.title}」。${start}；它自己卡住的地方，${leaves}。`;
    reader.is(shown.says, says, 'says');
  } else {
    const says = `两条线共${nodes.length}站，每一站都从前面卡住的地方出发。`;
    reader.is(shown.says, says, 'says');
  }
  return reader.wrong;
}

export function sampleTimeline(state: State, random: () => number, contents: Contents): State {
  const nodes = contents.get('timeline') as TimelineNode[];
  const node = random() < 0.5 ? '' : oneOf(nodes, random).id;
  return {...state, current: oneOf(LESSONS, random), node};
}
