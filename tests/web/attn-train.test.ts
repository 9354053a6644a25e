// <attn-train>: its sentences, table and pictures, at rest and during a run.
import {beforeAll, describe, expect, it} from 'vitest';
import {AttnTrain} from '../../web/elements/attn-train.js';
import {album, type TrainResult, type TrainState} from '../../web/elements/attn-train/state.js';
import {composeFigure} from '../../web/site/figures.js';
import {readFields} from '../../web/shared/link.js';
import type {Resources} from '../../web/shared/runtime.js';
import {drawTemplate} from '../../web/site/draw.js';
import type {Live} from '../../web/training/desk.js';
import {agreement} from '../../web/training/agreement.js';
import type {CaseContent} from '../../web/training/records.js';
import {resourcesFromBuild} from './load-core.js';
import {curveOf, record, state, unscaled} from './training-record.js';

describe('attn-train: the widget', () => {
  const {spec} = AttnTrain;
  const other = record({experiment: 'small-scaled-20261015', seed: 20261015});
  const content: CaseContent = {records: [record(), unscaled], others: [other]};
  let resources: Resources;
  beforeAll(async () => {
    resources = await resourcesFromBuild();
  });

  function show(
    changes: Partial<TrainState> = {},
    live: Partial<Live> | null = null,
    given = content,
  ) {
    const now = state(changes);
    const computed = spec.compute(resources, now, given) as TrainResult;
    const run = live && {
      settings: {...now},
      phase: 'running' as const,
      failure: null,
      where: 'worker' as const,
      threads: 1,
      quicker: 1,
      curve: curveOf(101),
      shape: {parameters: 425984, layers: 2, heads: 4, block: 64},
      sight: null,
      poems: [],
      resumedAt: 0,
      saved: null,
      secondsPerStep: 0.2,
      hidden: null,
      waiting: false,
      memory: 1,
      end: null,
      ...live,
    };
    const result: TrainResult = {
      ...computed,
      live: run,
      agreement:
        run && computed.record ? agreement(computed.record, run.settings, run.curve) : null,
    };
    const draw = async () =>
      (await drawTemplate(spec.view(now, result))).replace(/<!--.*?-->/gs, '');
    return {now, result, says: spec.says(now, result), table: spec.table(now, result), draw};
  }

  it('at rest it shows the record, beside the record with the other scaling', async () => {
    const {result, says, table, draw} = show();
    expect(result).toMatchObject({
      record: {experiment: 'small-scaled'},
      other: {experiment: 'small-unscaled'},
      wanted: null,
      live: null,
    });
    expect(says).toBe(
      '记录的一次，小模型，÷√d：1,500步，末50步平均损失5.50（不缩放是5.70）；H从1到0.5，logit的标准差从0.05到75，‖J‖从0.2到0.00013。',
    );
    const drawn = await draw();
    expect(drawn.match(/<svg[^>]*data-figure/g)?.length).toBe(5);
    expect(drawn).toContain('風□。 ／ 月');
    expect(composeFigure(drawn, {title: 'x', description: 'y'})).toContain('</svg>');
    // All digits, with the step.
    expect(table.rows.find(([step]) => step === '50')?.[1]).toBe('6.95');
    expect(JSON.parse(JSON.stringify(result))).toEqual(result);
  });

  it('requests records that are not in the page, and works without them', async () => {
    expect(show({seed: 20261015}).result).toMatchObject({
      record: null,
      wanted: 'case/small-scaled-20261015',
    });
    const later = '小模型，÷√d、种子20261015的记录还没有取来；点「开始」，可以现场练。';
    expect(show({seed: 20261015}).says).toBe(later);
    expect(show({seed: 20261015}, {}).says).toContain('记录还没有取来，先不比。');
    const large = record({experiment: 'large-scaled', preset: 'large'});
    expect(show({preset: 'large'}, null, {records: [large], others: []}).result).toMatchObject({
      record: large,
      other: null,
      wanted: null,
    });
    const none = show({seed: 5});
    expect(none.result.wanted).toBeNull();
    expect(none.says).toBe('小模型，÷√d、种子5没有记录；点「开始」，可以现场练。');
    const bare = show({}, null, {records: [], others: []});
    expect(await bare.draw()).toContain('data-figure');
  });

  it('replays a record: the last moment until there, and the lines until there', async () => {
    // Two places of a text, one head: rows of one and two weights.
    const moment = (steps: number, first: number) => ({
      steps,
      poem: `${steps}`,
      maps: [{layer: 0, head: 0, weights: [1000, first, 1000 - first]}],
    });
    const last = moment(1500, 250);
    const course = {text: '春日', prompt: '春', steps: [0, 74, 1500], last};
    const given = {...content, records: [record({course}), unscaled]};
    expect(show({}, null, given).result).toMatchObject({reached: 1500, moment: last, wanted: null});
    const early = {at: 0.06};
    expect(show(early, null, given).result).toMatchObject({
      reached: 90,
      moment: null,
      wanted: 'case/small-scaled-moments',
    });
    expect(await show(early, null, given).draw()).toContain('这一刻的图还没有取来');
    album.set('small-scaled', {...course, moments: [moment(0, 500), moment(74, 400), last]});
    const there = show(early, null, given);
    expect(there.result).toMatchObject({moment: {steps: 74}, wanted: null});
    const drawn = await there.draw();
    expect(drawn).toContain('记录的第74步：');
    expect(drawn).toContain('「日」看「日」，0.600');
    // The loss of step 90 is 7 − 0.09, and the diagnostics are those of step 74.
    expect(there.says).toContain('第90步，共1,500步：损失6.910（不缩放的那次是6.910）；H是0.975');
    expect(await show({at: 0}, null, given).draw()).toContain('「日」看「春」，0.500');
    album.clear();
  });

  it('live: compares with the record, and says where a comparison is not valid', () => {
    expect(show({}, {}).says).toContain(
      '正在练：425,984个参数，走了101步，这一批的损失6.900。✓ 与记录逐位相同：比了35个数。',
    );
    const changed = curveOf(101, {
      peaks: [
        {step: 0, rate: 0.003},
        {step: 50, rate: 1},
      ],
    });
    expect(show({}, {curve: changed}).says).toContain('改过学习率，只有前51步可比。');
    expect(show({steps: 200}, {}).says).toContain(
      '记录走了1,500步，学习率的安排不同，只有前101步可比。',
    );
    expect(show({seed: 5}, {}).says).toContain('这组设定没有记录可比。');
    const done = show(
      {},
      {phase: 'done', curve: curveOf(1500), end: {validationLoss: 5.6, hash: '0123456789abcdef'}},
    );
    expect(done.says).toContain('留出的诗上损失5.600，全部参数的指纹也与记录相同。');
    expect(
      show(
        {},
        {phase: 'done', curve: curveOf(1500), end: {validationLoss: 5.6, hash: 'f'.repeat(16)}},
      ).says,
    ).not.toContain('指纹');
  });

  it('every end of a run has its sentence', () => {
    expect(show({rate: 1e6}, {phase: 'diverged', curve: curveOf(2)}).says).toContain(
      '走了2步，下一步发散',
    );
    expect(show({}, {curve: curveOf(3, {losses: [7, 6, 5000]})}).says).toContain(
      '比瞎猜还差得多：学习率太大。',
    );
    expect(show({rate: 0}, {}).says).toContain('学习率是0，参数不动');
    for (const failure of ['no-module', 'no-corpus', 'wrong-corpus', 'crashed'] as const) {
      expect(show({}, {phase: 'failed', failure}).says).toMatch(/。$/);
    }
    expect(show({}, {phase: 'paused'}).says).toContain('暂停了');
    expect(show({}, {phase: 'stopped'}).says).toContain('停下了');
    expect(show({}, {phase: 'loading', curve: curveOf(0)}).says).toContain('正在取');
  });

  it('draws every state without NaN', async () => {
    const map = {
      characters: ['春', '<unk>'],
      rows: [
        [1, 0],
        [0.25, 0.75],
      ],
      layer: 0,
      head: 0,
    };
    const curves = [
      curveOf(0),
      curveOf(1),
      curveOf(101),
      curveOf(3, {losses: [7, 2e6, 1e9]}),
      curveOf(1500),
    ];
    for (const curve of curves) {
      for (const sight of [
        null,
        {steps: 1, poem: '\n<unk>', map: null},
        {steps: 100, poem: '風。', map},
      ]) {
        for (const changes of [
          {},
          {preset: 'large'},
          {seed: 5},
          {attention: 'hidden-as-zero'},
        ] as Partial<TrainState>[]) {
          const {draw, says, table, result} = show(changes, {
            curve,
            sight,
            poems: [{steps: 1, poem: '雲'}],
          });
          const text = (await draw()) + says + JSON.stringify(table);
          expect(text).not.toMatch(/NaN|Infinity|undefined|\[object/);
          expect(JSON.parse(JSON.stringify(result))).toEqual(result);
        }
      }
    }
    const {draw} = show({}, {sight: {steps: 1, poem: '', map}});
    expect(await draw()).toContain('「□」看「□」，0.750');
  });

  it('trains a model of a reader’s own sizes, beside the record of the small one', async () => {
    const own = {preset: 'own', layers: 1, heads: 2, width: 64, window: 32} as const;
    const {says, result, draw} = show(own);
    expect(says).toBe(
      '1层、2个头、宽64、窗口32，÷√d、种子20261014没有记录；点「开始」，可以现场练。',
    );
    expect(result).toMatchObject({record: null, recorded: false});
    expect(result.other?.experiment).toBe('small-scaled');
    expect(await draw()).toContain('✓ 小模型，÷√d，种子20261014');
    expect(() => show({...own, heads: 3})).toThrow('宽64分不成3个头：宽要是头数的倍数。');
  });

  it('reads its attributes', () => {
    const attributes: Record<string, string> = {
      preset: 'LARGE',
      attention: 'unscaled',
      seed: '２',
      steps: '0',
      rate: '1e-2',
      autostart: '',
    };
    const {state: read, problem} = readFields(spec.schema, (key) => attributes[key] ?? null);
    expect(read).toMatchObject({
      preset: 'large',
      attention: 'unscaled',
      seed: 2,
      steps: 1500,
      rate: 0.01,
      autostart: true,
    });
    expect(problem?.message).toBe('steps：这里最小是1。');
  });
});
