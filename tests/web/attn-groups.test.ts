import {beforeAll, describe, expect, it} from 'vitest';
import {AttnGroups, type GroupsState} from '../../web/elements/attn-groups.js';
import {composeFigure} from '../../web/site/figures.js';
import type {Resources} from '../../web/shared/runtime.js';
import {drawnWidget} from './drawn-widget.js';
import {resourcesFromBuild} from './load-core.js';

const {spec} = AttnGroups;
let resources: Resources;
beforeAll(async () => {
  resources = await resourcesFromBuild();
});

const show = (patch: Partial<GroupsState> = {}) => drawnWidget(resources, spec, patch);

const count = (text: string, part: string) => text.split(part).length - 1;

describe('attn-groups', () => {
  it('puts 24 query heads into 4 groups of six', async () => {
    const {result, says, drawn} = await show();
    expect(result.name).toBe('GQA');
    // Neighbouring heads share a group: 0 … 5, 6 … 11, 12 … 17, 18 … 23.
    expect(result.group).toEqual([0, 1, 2, 3].flatMap((group) => Array(6).fill(group)));
    expect(says).toContain('每组6个看同一份K、V，就是GQA-4：缓存是各存各的4/24，16.7 %');
    expect(count(drawn, 'fill="var(--query)" />') + count(drawn, 'fill="var(--query)"/>')).toBe(24);
    expect(count(drawn, 'fill="var(--key)"')).toBe(4);
    expect(count(drawn, 'fill="var(--value)"')).toBe(4);
  });

  it('names MHA and MQA at the two ends', async () => {
    expect((await show({groups: 24})).says).toContain('一份也没省');
    expect((await show({groups: 1})).says).toContain('只存1份，缓存是各存各的1/24，4.2 %');
    // A single head is plain multi-head attention.
    expect((await show({heads: 1, groups: 1})).result.name).toBe('MHA');
  });

  it('lists every possible number of groups', async () => {
    const {table} = await show({heads: 64, groups: 8});
    expect(table.rows.map(([groups, name, size]) => [groups, name, size])).toEqual([
      ['1', 'MQA', '64'],
      ['2', 'GQA-2', '32'],
      ['4', 'GQA-4', '16'],
      ['8', 'GQA-8', '8'],
      ['16', 'GQA-16', '4'],
      ['32', 'GQA-32', '2'],
      ['64', 'MHA', '1'],
    ]);
  });

  it('names the divisors when a number of groups does not divide the heads', () => {
    expect(() => spec.compute(resources, {heads: 12, groups: 5}, undefined)).toThrow(
      '12个查询头要分得一样多，只能分成1、2、3、4、6、12组。',
    );
  });

  it('draws a picture that can be exported', async () => {
    const {drawn, says} = await show();
    expect(composeFigure(drawn, {title: '分组', description: says})).not.toMatch(/var\(|style=/);
  });
});
