import {beforeAll, describe, expect, it} from 'vitest';
import timeline from '../../lessons/c3/timeline.js';
import {AttnTimeline} from '../../web/elements/attn-timeline.js';
import {
  stationAt,
  stationsOf,
  stopsOf,
  type TimelineState,
} from '../../web/elements/attn-timeline/state.js';
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
  name: `简${id}`,
  column: 'ABCDEF'.indexOf(id),
  picture: [['M0 0h9v9h-9z', 'key', 1]],
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
    const drawn = await draw();
    const map = composeFigure(drawn, {title: '', description: ''});
    expect(map.match(/>你在这里</g)).toHaveLength(1);
    expect(drawn.match(/· 你在这里/g)).toHaveLength(1);
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

  it('names every station on the map, and greys what has no page yet', async () => {
    const figure = composeFigure(await show({current: 'c3-l03'}).draw(), {
      title: '演进',
      description: '…',
    });
    const names = nodes.map(({name}) => name);
    const labels = ['第二代①', '第二代②', '旁支B4', '第三代', '交接C11', '未发布'];
    // The only link of A leads to a lesson that is not there.
    for (const text of [...names, ...labels]) expect(figure).toContain(`>${text}<`);
  });

  it('plays the number that a station is stuck on, then the way to the next', async () => {
    const content = [
      node('A', 'train', '起点', {wall: ['差', {num: 'gap', text: '22.6'}], year: '2014'}),
      node('B', 'train', '第二代①', {year: '2017'}),
    ];
    const drawnAt = async (at: number) => {
      const figure = composeFigure(await show({at}, content).draw(), {title: '', description: ''});
      return [/✗ 差22.6/.test(figure), /rotate\(-90\)/.test(figure), figure] as const;
    };
    const [wallBefore, tipBefore] = await drawnAt(0.15);
    const [wall, tip] = await drawnAt(0.34);
    const [wallAfter, tipAfter, whole] = await drawnAt(0.5);
    expect([wallBefore, tipBefore, wall, tip, wallAfter, tipAfter]).toEqual([
      false,
      false,
      true,
      false,
      true,
      true,
    ]);
    expect(whole).not.toMatch(/NaN|undefined/);
  });

  it('goes through the years, train before generate, one stop a station', () => {
    const content = [
      node('A', 'train', '起点', {column: 0, year: '2014'}),
      node('B', 'train', '二', {column: 2, year: '2017'}),
      node('C', 'generate', '三', {column: 2}),
      node('D', 'generate', '四', {column: 3, year: '2019'}),
      node('E', 'train', '五', {column: 1, year: '2015'}),
    ];
    const stations = stationsOf(show({}, content).result);
    expect(stations.map(({id}) => id)).toEqual(['A', 'E', 'B', 'C', 'D']);
    expect([0, 0.2, 0.21, 0.4, 0.99, 1].map((at) => stationAt(stations, at)?.id)).toEqual([
      'A',
      'A',
      'E',
      'E',
      'D',
      'D',
    ]);
    expect(stopsOf(stations).map(({name}) => name)).toEqual(['2014', '', '', '', '2019']);
  });

  it('shows the text of the station that was asked for, else of the lesson’s own', () => {
    const chosen = (patch: Partial<TimelineState>) =>
      stationsOf(show(patch).result)
        .filter((stop) => stop.chosen)
        .map(({id}) => id);
    expect(chosen({current: 'c3-l03'})).toEqual(['C']);
    expect(chosen({current: 'c3-l03', node: 'E'})).toEqual(['E']);
    expect(chosen({node: 'nowhere'})).toEqual(['A']);
    expect(show({current: 'c3-l03', node: 'E'}).says).toBe(
      '第三代「名E」。它自己卡住的地方，留给「名F」。',
    );
  });

  it('names every station whose arrow leads to one', () => {
    const content = [
      node('A', 'train', '起点', {next: 'C'}),
      node('B', 'generate', '第三代', {}),
      node('C', 'generate', '第四代', {lesson: 'c3-l10'}),
    ];
    const both = '它解开另一条线的「名A」和「名B」卡住的地方';
    expect(show({node: 'C'}, content).says).toBe(`第四代「名C」。${both}。`);
    expect(show({current: 'c3-l10'}, content).says).toContain(`你在第四代「名C」。${both}；`);
  });

  it('has a place of its own for every station of the course, in the order of the years', () => {
    const course = timeline.map(({id, track, column, year}) => ({id, track, column, year}));
    const places = course.map(({track, column}) => `${track} ${column}`);
    expect(new Set(places).size).toBe(course.length);
    const dated = course
      .filter(({year}) => year !== undefined)
      .sort((a, b) => a.column - b.column)
      .map(({year}) => parseInt(year!));
    expect(dated).toEqual([...dated].sort());
    const ids = course.map(({id}) => id);
    for (const {next} of timeline) if (next) expect(ids).toContain(next);
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
    expect(reading.state).toMatchObject({current: 'c3-l03', open: 'current'});
    expect(reading.problem?.message).toContain('current、all、train、generate');
  });
});
