// The desk, which holds a page's one run for all its widgets.
import {afterEach, beforeEach, describe, expect, it, vi} from 'vitest';
import {TrainDesk, type DeskHost} from '../../web/training/desk.js';
import {Missing} from '../../web/training/protocol.js';
import type {Port, PortOptions} from '../../web/training/port.js';
import {emptyCurve, type Command, type Report} from '../../web/training/protocol.js';
import {look, poems, settings} from './training-run.js';

describe('training desk', () => {
  let kept: Map<string, string>;
  beforeEach(() => {
    kept = new Map();
    vi.stubGlobal('localStorage', {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => kept.set(key, value),
      removeItem: (key: string) => kept.delete(key),
    });
  });
  afterEach(() => vi.unstubAllGlobals());

  /** A desk whose learner records its commands and sends the reports that the test chooses. */
  function deskWith(changes: Partial<DeskHost> = {}, where: Port['where'] = 'worker') {
    const posted: Command[] = [];
    const reports: PortOptions['report'][] = [];
    const closed = vi.fn();
    const desk = new TrainDesk({
      open: async ({report}) => {
        reports.push(report);
        return {where, post: (command) => posted.push(command), close: closed};
      },
      corpus: async () => poems,
      ...changes,
    });
    const report = (message: Report) => reports.at(-1)?.(message);
    const begin = async () => {
      await desk.start(settings, look);
      report({
        kind: 'begun',
        shape: {parameters: 1, layers: 2, heads: 4, block: 64},
        threads: 2,
        curve: emptyCurve(0.003),
      });
    };
    const walk = (losses: number[]) =>
      report({
        kind: 'progress',
        seconds: 0.2 * losses.length,
        quicker: 1,
        memory: 1,
        added: {losses, gradientNorms: losses, learningRates: losses, diagnostics: []},
      });
    return {
      desk,
      posted,
      reports,
      closed,
      report,
      begin,
      walk,
      kinds: () => posted.map(({kind}) => kind),
    };
  }

  it('starts one learner for five clicks', async () => {
    const {desk, reports, kinds} = deskWith();
    await Promise.all(Array.from({length: 5}, () => desk.start(settings, look)));
    expect(reports.length).toBe(1);
    expect(kinds()).toEqual(['start']);
  });

  it('pauses, resumes, stops; ignores later reports of a stopped learner', async () => {
    const {desk, report, begin, walk, kinds, closed} = deskWith();
    desk.pause();
    await begin();
    walk([7, 6]);
    desk.resume();
    desk.pause();
    expect(kinds()).toEqual(['start', 'pause']);
    report({kind: 'paused'});
    desk.pause();
    desk.resume();
    expect(kinds()).toEqual(['start', 'pause', 'resume']);
    desk.stop();
    expect(closed).toHaveBeenCalledOnce();
    walk([5]);
    expect(desk.live).toMatchObject({phase: 'stopped', curve: {losses: [7, 6]}});
    expect(desk.kept).toBeNull();
  });

  it('a stop during loading ends the start', async () => {
    let give = (_text: string) => {};
    const {desk, reports} = deskWith({corpus: () => new Promise((resolve) => (give = resolve))});
    const started = desk.start(settings, look);
    desk.stop();
    give(poems);
    await started;
    expect(reports).toEqual([]);
    expect(desk.live?.phase).toBe('stopped');
  });

  it('names the missing file, and can be started again', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    let there = false;
    const {desk, kinds} = deskWith({
      corpus: () => (there ? Promise.resolve(poems) : Promise.reject(new Missing('no-corpus'))),
    });
    await desk.start(settings, look);
    expect(desk.live).toMatchObject({phase: 'failed', failure: 'no-corpus'});
    there = true;
    await desk.start(settings, look);
    expect(kinds()).toEqual(['start']);
    const other = deskWith();
    await other.desk.start(settings, look);
    other.report({kind: 'failed', code: 'no-module', message: '404'});
    expect(other.desk.live).toMatchObject({phase: 'failed', failure: 'no-module'});
    await other.begin();
    expect(other.desk.live).toMatchObject({phase: 'running', threads: 2});
  });

  it('continues in a hidden tab and shows its progress; without a worker it waits', async () => {
    const worker = deskWith();
    await worker.begin();
    worker.walk([7]);
    worker.desk.visible(false);
    worker.walk([6, 5]);
    worker.desk.visible(true);
    expect(worker.desk.live).toMatchObject({phase: 'running', hidden: {from: 1, to: 3}});
    expect(worker.kinds()).toEqual(['start', 'save']);

    const page = deskWith({}, 'page');
    await page.begin();
    page.desk.visible(false);
    page.report({kind: 'paused'});
    expect(page.desk.live).toMatchObject({phase: 'paused', waiting: true});
    page.desk.visible(true);
    page.report({kind: 'resumed'});
    expect(page.desk.live).toMatchObject({phase: 'running', waiting: false});
    expect(page.kinds()).toEqual(['start', 'pause', 'resume']);
    // A pause that the reader chose is kept.
    page.desk.pause();
    page.report({kind: 'paused'});
    page.desk.visible(false);
    page.desk.visible(true);
    expect(page.kinds()).toEqual(['start', 'pause', 'resume', 'pause', 'save']);
  });

  it('stores the run for the next visit: steps made, and steps that can be continued', async () => {
    const {desk, report, begin, walk} = deskWith();
    await begin();
    walk([7, 6, 5]);
    report({kind: 'saved', steps: 2});
    expect(desk.kept).toBeNull();
    desk.save();
    expect(new TrainDesk({} as DeskHost).kept).toEqual({settings, steps: 3, saved: 2});
    report({kind: 'diverged', step: 3});
    expect(new TrainDesk({} as DeskHost).kept).toBeNull();
    kept.set('attn-lessons/training', '{"steps":');
    expect(new TrainDesk({} as DeskHost).kept).toBeNull();
  });
});
