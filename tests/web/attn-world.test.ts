import {readFileSync} from 'node:fs';
import {beforeAll, describe, expect, it} from 'vitest';
import {AttnWorld} from '../../web/elements/attn-world.js';
import type {Stage, WorldState} from '../../web/elements/attn-world/state.js';
import {composeFigure} from '../../web/site/figures.js';
import {readFields} from '../../web/shared/link.js';
import type {Resources} from '../../web/shared/runtime.js';
import type {TeachingWorld} from '../../web/shared/world.js';
import {drawTemplate} from '../../web/site/draw.js';
import {drawnWidget} from './drawn-widget.js';
import {resourcesFromBuild} from './load-core.js';

const {spec} = AttnWorld;
const STAGES: Stage[] = ['embeddings', 'projections', 'scores', 'weights', 'outputs'];
let resources: Resources;
let world: TeachingWorld;

beforeAll(async () => {
  resources = await resourcesFromBuild();
  world = JSON.parse(readFileSync('lessons/data/teaching-world.json', 'utf8')) as TeachingWorld;
});

const show = (patch: Partial<WorldState> = {}) => drawnWidget(resources, spec, patch);

describe('attn-world', () => {
  // x[给了]·x[小明] = 0.2 + 0.02 + 0.2 = 0.42, lengths √1.08 and √1.41: 0.42 ÷ √1.5228 = 0.3404
  it('compares embeddings by their cosine, and ranks the token itself first', async () => {
    const {result, drawn, says, table} = await show();
    expect(result.rows[0]?.cosine).toBeCloseTo(0.42 / Math.sqrt(1.08 * 1.41), 14);
    expect(says).toContain('最像它自己（1.000）');
    expect(says).toContain('「把」0.969、「小明」0.340、「苹果」0.303、「小王」0.262');
    for (const feature of world.feature_names) expect(drawn).toContain(`>${feature}<`);
    expect(table.rows.map((row) => row.at(-1))).toEqual([
      '0.340',
      '0.969',
      '0.303',
      '1.000',
      '0.262',
    ]);
  });

  // e[给了] = (0.2, 0.2, 1, 0), so q = 0.2·W_Q[0] + 0.2·W_Q[1] + W_Q[2]
  it('projects one vector to query, key and value', async () => {
    const {result, says} = await show({stage: 'projections'});
    const expected = [2.066, -2.382, 1.884, 1.432];
    expected.forEach((value, i) => expect(result.me.q[i]).toBeCloseTo(value, 12));
    expect(says).toContain('q＝(2.07, −2.38, 1.88, 1.43)');
    expect(says).toContain('k＝(0.4, 2, 0.4, 0.6)');
  });

  // q·k is worked out in lesson-3.test.ts
  it('scores every key against the query of the chosen token', async () => {
    const {result, says, table} = await show({stage: 'scores'});
    [3.7708, -1.9284, 4.4924, -2.3248, 4.1756].forEach((score, i) =>
      expect(result.rows[i]?.score).toBeCloseTo(score, 12),
    );
    expect(says).toContain(
      '「苹果」4.49、「小王」4.18、「小明」3.77、「把」−1.93、「给了」−2.32。与自己的键排第5',
    );
    expect(table.rows).toHaveLength(6);
  });

  it('divides by √d_k = 2, and the weights sum to 1', async () => {
    const {result, says} = await show({stage: 'weights'});
    const parts = [3.7708, -1.9284, 4.4924, -2.3248, 4.1756].map((score) => Math.exp(score / 2));
    const sum = parts.reduce((total, part) => total + part, 0);
    parts.forEach((part, i) => expect(result.rows[i]?.weight).toBeCloseTo(part / sum, 12));
    expect(says).toContain('√4');
    expect(says).toContain('「小王」32.5 %');
  });

  it('sums the values in proportion to the weights', async () => {
    const {result} = await show({stage: 'outputs', token: '小王'});
    result.output.forEach((value, d) => {
      const sum = result.rows.reduce((total, {weight, v}) => total + weight * (v[d] ?? 0), 0);
      expect(value).toBeCloseTo(sum, 14);
    });
  });

  it('draws, describes and tabulates every stage for every token', async () => {
    for (const stage of STAGES) {
      const sentences = new Set<string>();
      for (const token of world.tokens) {
        const {state, result, drawn, says, table} = await show({stage, token});
        expect(`${drawn} ${says} ${table.rows.join()}`).not.toMatch(/NaN|Infinity|undefined/);
        expect(says).toContain(`「${token}」`);
        for (const row of table.rows) expect(row).toHaveLength(table.columns.length);
        const ids = [...drawn.matchAll(/<pattern id="?([\w-]+)/g)].map((match) => match[1]);
        expect(new Set(ids).size).toBe(ids.length);
        expect(composeFigure(drawn, {title: '教学句', description: says})).not.toMatch(
          /var\(|style=/,
        );
        expect(await drawTemplate(spec.steps!(state, result))).toContain('<li>');
        sentences.add(says);
      }
      expect(sentences.size).toBe(world.tokens.length);
    }
  });

  it('refuses an unknown token, and lists the known ones', () => {
    const {state, problem} = readFields<WorldState>(spec.schema, (key) =>
      key === 'token' ? '小李' : null,
    );
    expect(state.token).toBe('给了');
    expect(problem?.message).toContain('小明、把、苹果、给了、小王');
    expect(spec.schema.token.read(' 苹果 ')).toBe('苹果');
  });
});
