// Numbers of lesson 6: scores under a change of order and of distance.
import {matrix, rowsOf} from '../../../web/core.js';
import {
  BASE,
  difference,
  fetchedAt,
  headOf,
  partsAt,
  PLACES,
  scoresAt,
  SEED,
  spread,
  stack,
  type PositionKind,
} from '../../../web/shared/positions.js';
import {defineNumbers, type Format, type NumberSpec} from '../../../web/site/numbers.js';
import valueNumbers from '../l05/numbers.js';
import {rotatedWidth} from '../rotated.js';
import {TOKEN} from '../teaching.js';

/** 苹果 把 小明 给了 小王 */
const SHUFFLED = [TOKEN.pingguo, TOKEN.ba, TOKEN.xiaoming, TOKEN.geile, TOKEN.xiaowang];
/** Positions of the key in the text's examples; the query is DISTANCE positions later. */
const STARTS = [0, 10, 40, 1_000_000];
const DISTANCE = 3;
const DIM = 4;
/**
 * Positions of the key that the widget draws, and those at which the query is still in the table.
 */
const DRAWN = Array.from({length: 96}, (_, place) => place);
const WITHIN = DRAWN.slice(0, PLACES - DISTANCE);

export default defineNumbers((context) => {
  const {core, sequence, world, model, config, teaching, computed, quoted, given, format} = context;
  const of = (value: number, as: Format, formula: string, key = 'embeddings') =>
    teaching(value, as, {formula, key});

  // The sentence in another order, with Q = K = V = X.
  const head = headOf(sequence, DIM);
  const {table} = head;
  const moved = (kind: PositionKind, causal: boolean, layers: number) => {
    const how = {causal, layers, table};
    const coding = {kind, rotated: world.d_model};
    const before = stack(core, sequence, world.embeddings, coding, how);
    const after = stack(
      core,
      sequence,
      SHUFFLED.map((token) => world.embeddings[token]!),
      coding,
      how,
    );
    return before.map((row, token) =>
      difference(row, after[(SHUFFLED as number[]).indexOf(token)]!),
    );
  };
  const shuffledBy = (
    id: string,
    [kind, causal, layers]: [PositionKind, boolean, number],
    digits = 3,
  ) => {
    const gaps = moved(kind, causal, layers);
    const what =
      `对调小明和苹果，Q＝K＝V＝X，${causal ? '因果掩码' : '没有掩码'}，` +
      `${layers}层${kind === 'rotary' ? '，RoPE' : ''}`;
    return {
      [`${id}_most`]: of(
        Math.max(...gaps),
        format.fixed(digits),
        `${what}：各词元输出之差的最大值`,
      ),
      [`${id}_xiaoming`]: of(gaps[TOKEN.xiaoming]!, format.fixed(digits), `${what}：「小明」`),
      [`${id}_geile`]: of(gaps[TOKEN.geile]!, format.fixed(digits), `${what}：「给了」`),
    };
  };

  // The position added to every component.
  const far = given(1000, '序号');
  const numbered = (place: number) =>
    core.cosine(
      world.embeddings[TOKEN.xiaoming]!.map((x) => x + place),
      world.embeddings[TOKEN.pingguo]!.map((x) => x + place),
    );
  const shortText = given(5, '短句的词元数');
  const longText = given(1000, '长文的词元数');

  // Sinusoidal codes.
  const base = given(BASE, '底数', format.plain);
  const four = {d: given(DIM, 'd'), base};
  const codes = (places: number[], d = DIM) =>
    rowsOf(
      sequence.addSinusoidal(matrix(places.map(() => Array<number>(d).fill(0))), {
        positions: places,
        base: BASE,
      }),
    );
  const apart = (a: number, b: number) => {
    const [p, q] = codes([a, b]);
    return sequence.distance(p!, q!);
  };
  const wave = (d: number) => sequence.wavelengths(d, BASE);
  const wide = given(512, 'd');
  const fast = (place: number, column: number, digits = 3) =>
    computed(codes([place])[0]![column]!, format.fixed(digits), {
      formula: `${column === 0 ? 'sin' : 'cos'}(${place})`,
      from: {position: given(place, '位置')},
    });

  // A table.
  const gpt2 = model('gpt2');
  const places = config(gpt2, 'n_positions');
  const width = config(gpt2, 'n_embd');

  // One head, two tokens.
  const drawn = {
    d: given(DIM, 'd'),
    seed: given(SEED, '随机种子', format.plain),
    distance: given(DISTANCE, '距离'),
  };
  const score = (kind: PositionKind, starts: number[], distance = DISTANCE) =>
    scoresAt(core, sequence, head, {kind, rotated: DIM}, starts, distance);
  const names = {none: '不加位置', sinusoidal: '加正弦编码', learnt: '加可学的表', rotary: 'RoPE'};
  const scores = (id: string, kind: PositionKind, starts: number[], digits: number) =>
    Object.fromEntries(
      score(kind, starts).map((value, i) => [
        `${id}_${starts[i]}`,
        computed(value, format.fixed(digits), {
          formula: `q·k ÷ √d，${names[kind]}，k在${starts[i]}，q在${starts[i]! + DISTANCE}`,
          from: drawn,
        }),
      ]),
    );
  const range = (kind: PositionKind, places = DRAWN) =>
    computed(spread(score(kind, places)), format.fixed(3), {
      formula: `k在0–${places.length - 1}：最大的分数 − 最小的分数，${names[kind]}`,
      from: drawn,
    });
  const outputs = (turn: boolean) => fetchedAt(core, sequence, head, DIM, DRAWN, DISTANCE, turn);
  const [kept, turned] = [outputs(false), outputs(true)];
  const leak = (rows: number[][]) => Math.max(...rows.map((row) => difference(row, rows[0]!)));
  const fetched = (rows: number[][], place: number, what: string) =>
    computed(rows[place]![0]!, format.fixed(3), {
      formula: `取回向量的第1个分量，k在${place}，q在${place + DISTANCE}，${what}`,
      from: drawn,
    });

  // Two components, one radian a position: small enough for pencil and paper.
  const unit = matrix([[1, 0]]);
  const turn = (position: number) =>
    sequence.rotate(unit, {positions: [position], rotated: 2, base: BASE});
  const pair = (id: string, position: number) =>
    Object.fromEntries(
      [...turn(position).data].map((value, c) => [
        `${id}_${c + 1}`,
        computed(value, format.fixed(3), {
          formula: `(1, 0)转${position}弧度，第${c + 1}个分量`,
          from: {position: given(position, '位置')},
        }),
      ]),
    );
  const product = (m: number, n: number) =>
    computed(sequence.rowProducts(turn(m), turn(n))[0]!, format.fixed(3), {
      formula: `(1, 0)转${m}弧度 · (1, 0)转${n}弧度`,
      from: {m: given(m, 'q的位置'), n: given(n, 'k的位置')},
    });

  // The anchor and its relatives.
  const anchor = model('anchor-model');
  const headDim = config(anchor, 'head_dim');
  const factor = config(anchor, 'partial_rotary_factor');
  const rotaryFrom = {head_dim: headDim, partial_rotary_factor: factor};
  const gptj = model('gpt-j-6b');
  const gptjFrom = {n_embd: config(gptj, 'n_embd'), n_head: config(gptj, 'n_head')};
  const rotated = rotatedWidth(anchor, headDim.value, factor.value);

  const anchorHead = headOf(sequence, headDim.value);
  const partial = {
    ...rotaryFrom,
    seed: given(SEED, '随机种子', format.plain),
  };
  const parts = (distance: number) => {
    const [turning, still] = partsAt(core, sequence, anchorHead, rotated, 0, distance);
    const of = (value: number, what: string) =>
      computed(value, format.fixed(3), {
        formula: `${what}的那一段q·k ÷ √head_dim，k在0，q在${distance}`,
        from: {...partial, distance: given(distance, '距离')},
      });
    return {
      [`part_turned_${distance}`]: of(turning, '转'),
      [`part_still_${distance}`]: of(still, '不转'),
    };
  };

  // Lengths beyond those of training.
  const trained = given(4096, '训练长度');
  const wanted = given(131072, '要用的长度，128 × 1024');
  const stretch = wanted.value / trained.value;
  const lengths = {trained, wanted};
  const rotaryDims = given(128, '旋转的维数d');
  const ntkBase = BASE * core.exp((rotaryDims.value / (rotaryDims.value - 2)) * core.log(stretch));

  const asNumber = (spec: NumberSpec) => Number(spec.value);
  const shared = valueNumbers(context);

  return {
    ...Object.fromEntries(
      Object.entries(shared).filter(([id]) => /^(order_difference|(shuffled_)?out_\d)$/.test(id)),
    ),
    ...shuffledBy('bare', ['none', false, 1], 6),
    ...shuffledBy('single', ['none', true, 1]),
    ...shuffledBy('deep', ['none', true, 2]),
    ...shuffledBy('rope', ['rotary', false, 1]),

    drown_0: of(numbered(0), format.fixed(3), '小明与苹果的词向量的余弦'),
    drown_far: of(
      numbered(far.value),
      format.fixed(3),
      '每个分量都加上序号1000之后，小明与苹果的余弦',
    ),
    short_step: computed(1 / shortText.value, format.general(3), {
      formula: '1 ÷ 词元数',
      from: {T: shortText},
    }),
    long_step: computed(1 / longText.value, format.general(3), {
      formula: '1 ÷ 词元数',
      from: {T: longText},
    }),

    ...Object.fromEntries(
      codes([0, 1, 2, 3]).flatMap((row, place) =>
        row.map((value, c) => [
          `pe_${place}_${c}`,
          computed(value, format.fixed(4), {
            formula:
              `${c % 2 === 0 ? 'sin' : 'cos'}` + `(${place} ÷ 10000^(${2 * Math.floor(c / 2)}/4))`,
            from: four,
          }),
        ]),
      ),
    ),
    pe_step: computed(apart(0, 1), format.fixed(4), {
      formula: '|p(t+1) − p(t)|＝√((2 sin ½)² + (2 sin 0.005)²)，与t无关',
      from: four,
    }),
    pe_step_50: computed(apart(50, 51), format.fixed(4), {
      formula: '|p(51) − p(50)|',
      from: four,
    }),
    ...Object.fromEntries(
      wave(DIM).map((length, i) => [
        `wave_${i}`,
        computed(length, format.fixed(1), {formula: `2π·10000^(${2 * i}/4)`, from: four}),
      ]),
    ),
    wave_512: computed(wave(wide.value).at(-1)!, format.integer, {
      formula: '2π·10000^((d − 2)/d)',
      from: {d: wide, base},
    }),
    wave_512_naive: computed(2 * Math.PI * BASE, format.integer, {
      formula: '2π·10000',
      from: {base},
    }),
    fast_sin_44: fast(44, 0),
    fast_cos_44: fast(44, 1, 4),
    fast_sin_100: fast(100, 0),
    fast_cos_100: fast(100, 1),

    places: given(PLACES, '表的行数'),
    last_place: computed(PLACES - 1, format.integer, {
      formula: '行数 − 1',
      from: {rows: given(PLACES, '表的行数')},
    }),
    gpt2_places: places,
    gpt2_width: width,
    gpt2_table: computed(places.value * width.value, format.integer, {
      formula: 'n_positions × n_embd',
      from: {n_positions: places, n_embd: width},
    }),

    ...scores('sin', 'sinusoidal', STARTS.slice(0, 3), 3),
    ...scores('table', 'learnt', STARTS.slice(0, 3), 3),
    ...scores('rot', 'rotary', STARTS, 3),
    rot_exact_0: computed(score('rotary', [0])[0]!, format.fixed(10), {
      formula: 'q·k ÷ √d，RoPE，k在0，q在3',
      from: drawn,
    }),
    rot_exact_far: computed(score('rotary', [1_000_000])[0]!, format.fixed(10), {
      formula: 'q·k ÷ √d，RoPE，k在1000000，q在1000003',
      from: drawn,
    }),
    rot_other: computed(score('rotary', [0], 4)[0]!, format.fixed(3), {
      formula: 'q·k ÷ √d，RoPE，k在0，q在4',
      from: drawn,
    }),
    rot_back: computed(score('rotary', [DISTANCE], -DISTANCE)[0]!, format.fixed(3), {
      formula: 'q·k ÷ √d，RoPE，k在3，q在0',
      from: drawn,
    }),
    sin_spread: range('sinusoidal'),
    table_spread: range('learnt', WITHIN),
    rot_spread: range('rotary'),

    ...Object.fromEntries(
      STARTS.slice(0, 3).flatMap((place) => [
        [`kept_${place}`, fetched(kept, place, 'V不转')],
        [`turned_${place}`, fetched(turned, place, 'V也转')],
      ]),
    ),
    leak_kept: computed(leak(kept), format.fixed(3), {
      formula: '取回的向量随位置最多变多少，V不转',
      from: drawn,
    }),
    leak_turned: computed(leak(turned), format.fixed(3), {
      formula: '取回的向量随位置最多变多少，V也转',
      from: drawn,
    }),

    ...pair('hand_q', 3),
    ...pair('hand_k', 1),
    ...pair('hand_far_q', 12),
    ...pair('hand_far_k', 10),
    hand_near: product(3, 1),
    hand_far: product(12, 10),
    same_place: product(0, 0),
    three_apart: product(3, 0),
    six_apart: product(6, 0),

    rotary_pairs: computed(rotated / 2, format.integer, {
      formula: 'head_dim × partial_rotary_factor ÷ 2',
      from: rotaryFrom,
    }),
    unrotated_dims: computed(headDim.value - rotated, format.integer, {
      formula: 'head_dim × (1 − partial_rotary_factor)',
      from: rotaryFrom,
    }),
    ...parts(DISTANCE),
    ...parts(30),
    gptj_rotary: config(gptj, 'rotary_dim'),
    gptj_head: computed(asNumber(gptjFrom.n_embd) / asNumber(gptjFrom.n_head), format.integer, {
      formula: 'n_embd ÷ n_head',
      from: gptjFrom,
    }),
    v3_base: config(model('deepseek-v3'), 'rope_theta', format.integer),
    llama31_base: config(model('llama-3.1-8b'), 'rope_theta', format.integer),

    trained_length: trained,
    wanted_length: wanted,
    farthest_seen: computed(trained.value - 1, format.integer, {
      formula: '训练长度 − 1',
      from: {trained},
    }),
    farthest_wanted: computed(wanted.value - 1, format.integer, {
      formula: '要用的长度 − 1',
      from: {wanted},
    }),
    stretch: computed(stretch, format.integer, {
      formula: '要用的长度 ÷ 训练长度',
      from: lengths,
    }),
    squeezed_step: computed(1 / stretch, format.general(3), {
      formula: '1弧度 ÷ 倍数',
      from: lengths,
    }),
    ntk_base: computed(ntkBase, format.integer, {
      formula: '10000 × 倍数^(d ÷ (d − 2))',
      from: {...lengths, d: rotaryDims, base},
    }),

    bleu_sinusoidal: quoted(25.8, format.fixed(1), {
      source: 'Vaswani等2017，表3，base行，英德翻译newstest2013',
      unit: 'BLEU',
    }),
    bleu_learnt: quoted(25.7, format.fixed(1), {
      source: 'Vaswani等2017，表3，(E)行，英德翻译newstest2013',
      unit: 'BLEU',
    }),
    bleu_before: quoted(27.3, format.fixed(1), {
      source: 'Su等2021，RoFormer，表1，WMT 2014英德翻译，Transformer-base',
      unit: 'BLEU',
    }),
    bleu_rope: quoted(27.5, format.fixed(1), {
      source: 'Su等2021，RoFormer，表1，WMT 2014英德翻译，RoFormer',
      unit: 'BLEU',
    }),
    nopos_causal: quoted(13.1, format.fixed(2), {
      source: 'Haviv等2022，表1，The Pile，13亿参数，NoPos的困惑度',
    }),
    learnt_causal: quoted(13.05, format.fixed(2), {
      source: 'Haviv等2022，表1，The Pile，13亿参数，Learned的困惑度',
    }),
    nopos_masked: quoted(147.18, format.fixed(2), {
      source:
        'Haviv等2022，表4，The Pile，双向的掩码语言模型（RoBERTa-large的结构），NoPos的困惑度',
    }),
    learnt_masked: quoted(4.06, format.fixed(2), {
      source:
        'Haviv等2022，表4，The Pile，双向的掩码语言模型（RoBERTa-large的结构），Learned的困惑度',
    }),
  };
});
