import {beforeAll, describe, expect, it} from 'vitest';
import {AttnTimeline, type TimelineState} from '../../web/elements/attn-timeline.js';
import type {TimelineNode} from '../../web/shared/content.js';
import {composeFigure} from '../../web/site/figures.js';
import {readFields} from '../../web/shared/link.js';
import type {Resources} from '../../web/shared/runtime.js';
import {defaults} from '../../web/shared/schema.js';
import {drawTemplate} from '../../web/site/draw.js';
import {resourcesFromBuild} from './load-core.js';

const {spec} = AttnTimeline;
let resources: Resources;
beforeAll(async () => {
  resources = await resourcesFromBuild();
});

const node = (
  id: string,
  track: TimelineNode['track'],
  label: string,
  more: Partial<TimelineNode> = {},
): TimelineNode => ({
  id,
  track,
  label,
  title: `名${id}`,
  source: `出处${id}`,
  solved: [`解${id}`],
  stuck: [`卡${id}`],
  links: [],
  branch: false,
  ...more,
});
const nodes = [
  node('A', 'train', '起点', {links: [{label: '岔路B1'}]}),
  node('B', 'train', '第二代①', {lesson: 'c3-l02', stuck: ['差', {num: 'gap', text: '22.6'}]}),
  node('C', 'train', '第二代②', {
    lesson: 'c3-l03',
    links: [{label: '第3课', href: 'c3/l03/index.html'}, {label: '第4课'}],
  }),
  node('D', 'train', '旁支B4', {branch: true}),
  node('E', 'generate', '第三代', {lesson: 'c3-l08'}),
  node('F', 'generate', '交接C11', {branch: true}),
];

function show(patch: Partial<TimelineState>, content = nodes) {
  const state = {...defaults<TimelineState>(spec.schema), ...patch};
  const result = spec.compute(resources, state, content);
  return {
    state,
    result,
    says: spec.says(state, result),
    table: spec.table(state, result),
    draw: () => drawTemplate(spec.view(state, result)),
  };
}
const folds = ({result}: ReturnType<typeof show>) => ({
  tracks: result.tracks.filter(({open}) => open).map(({id}) => id),
  stops: result.tracks
    .flatMap(({stops}) => stops)
    .filter(({open}) => open)
    .map(({id}) => id),
});

describe('attn-timeline', () => {
  it('opens the track and the node of the current lesson, and no other', () => {
    expect(folds(show({current: 'c3-l03'}))).toEqual({tracks: ['train'], stops: ['C']});
    expect(folds(show({current: 'c3-l08'}))).toEqual({tracks: ['generate'], stops: ['E']});
    expect(folds(show({current: 'c3-l99'}))).toEqual({tracks: ['train'], stops: []});
  });

  it('opens everything, or one whole track, when told', () => {
    expect(folds(show({current: 'c3-l03', open: 'all'}))).toEqual({
      tracks: ['train', 'generate'],
      stops: ['A', 'B', 'C', 'D', 'E', 'F'],
    });
    expect(folds(show({current: 'c3-l03', open: 'generate'}))).toEqual({
      tracks: ['generate'],
      stops: ['C', 'E', 'F'],
    });
  });

  it('holds every text whatever is folded, with numbers that lead to their source', async () => {
    const drawn = await show({current: 'c3-l03'}).draw();
    for (const {id} of nodes)
      for (const text of [`名${id}`, `出处${id}`, `解${id}`]) expect(drawn).toContain(text);
    expect(drawn).toContain('href="#num-gap"');
    expect(drawn.replace(/<!--.*?-->/g, '')).toContain('<span>第4课</span>');
    // The page's own lesson is no link.
    expect(drawn).not.toContain('c3/l03/index.html');
  });

  it('is the place of every lesson that a node names, and links to its other lessons', async () => {
    const links = [
      {label: '第1课', href: 'c3/l01/index.html'},
      {label: '第5课', href: 'c3/l05/index.html'},
    ];
    const content = [
      node('A', 'train', '起点', {}),
      node('B', 'train', '第二代①', {lesson: ['c3-l01', 'c3-l05'], links}),
    ];
    for (const [current, own, other] of [
      ['c3-l01', 'l01', 'l05'],
      ['c3-l05', 'l05', 'l01'],
    ] as const) {
      const {draw, says} = show({current}, content);
      expect(says).toContain('你在第二代①');
      const drawn = await draw();
      expect(drawn).not.toContain(`c3/${own}/index.html`);
      expect(drawn).toContain(`c3/${other}/index.html`);
    }
  });

  it('marks the place once on the map and once in the text', async () => {
    const {draw, says, table} = show({current: 'c3-l03'});
    expect((await draw()).match(/>你在这里<|· 你在这里/g)).toHaveLength(2);
    expect(says).toBe(
      '你在第二代②「名C」。它解开「名B」卡住的地方；它自己卡住的地方，留给另一条线的「名E」。',
    );
    // The other line's last stop hands over to what branches off behind it.
    expect(show({current: 'c3-l08'}).says).toContain('它自己卡住的地方，交给「名F」。');
    expect(table.rows.map(([name]) => name)).toEqual([
      '起点',
      '第二代①',
      '第二代②（你在这里）',
      '旁支B4',
      '第三代',
      '交接C11',
    ]);
  });

  it('says of a branch where it leaves the line', () => {
    const content = [
      ...nodes.slice(0, 3),
      node('D', 'train', '旁支B4', {branch: true, lesson: 'c3-b4'}),
    ];
    expect(show({current: 'c3-b4'}, content).says).toBe('你在旁支B4「名D」，从「名C」旁边岔出去。');
  });

  it('names a generation once for its neighbours and hangs side roads off the line', async () => {
    const figure = composeFigure(await show({current: 'c3-l03'}).draw(), {
      title: '演进',
      description: '…',
    });
    expect(figure.match(/>第二代</g)).toHaveLength(1);
    for (const label of ['①', '②', '岔路B1', '旁支B4', '交接C11'])
      expect(figure).toContain(`>${label}<`);
  });

  it('places one lone node, and none, without a number that is none', async () => {
    for (const content of [[], nodes.slice(0, 1), nodes.slice(3, 4)]) {
      const {draw, says} = show({current: 'c3-l03'}, content);
      expect((await draw()) + says).not.toMatch(/NaN|Infinity|undefined/);
    }
  });

  it('reads its attributes and falls back on what it does not know', () => {
    const reading = readFields(
      spec.schema,
      (key) => ({current: 'c3-l03', open: 'half'})[key] ?? null,
    );
    expect(reading.state).toEqual({current: 'c3-l03', open: 'current'});
    expect(reading.problem?.message).toContain('current、all、train、generate');
  });
});
