import {defineConfig} from 'vitest/config';
import {BaseSequencer, type TestSpecification} from 'vitest/node';

/** Files run in the order of their paths, so that what one leaves behind is the same each time. */
class ByPath extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.toSorted((a, b) => (a.moduleId < b.moduleId ? -1 : 1));
  }
}

/** These look at modules that no test has used before. */
const alone = ['tests/web/attn-train.test.ts', 'tests/web/heads-trained.test.ts'];

export default defineConfig({
  test: {
    // Style sheets read as text (the palette of figures) come as they are.
    css: true,
    // A forgotten `.only` fails the run instead of hiding the rest.
    allowOnly: false,
    // On a busy machine everything takes ten times as long; a limit only ends what hangs.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    sequence: {sequencer: ByPath},
    projects: [
      {
        extends: true,
        test: {
          name: 'together',
          include: ['tests/web/**/*.test.ts'],
          exclude: alone,
          // A fresh process for each file would load the same modules eighty times.
          isolate: false,
        },
      },
      {extends: true, test: {name: 'alone', include: alone}},
    ],
  },
});
