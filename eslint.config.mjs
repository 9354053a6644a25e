import {defineConfig} from 'eslint/config';
import lit from 'eslint-plugin-lit';
import tseslint from 'typescript-eslint';

export default defineConfig(
  {ignores: ['build/', 'dist/', 'tests/browser/fixtures/']},
  ...tseslint.configs.recommended,
  {files: ['web/**/*.ts', 'lessons/**/*.ts'], ...lit.configs['flat/recommended']},
  {
    rules: {
      eqeqeq: ['error', 'always', {null: 'ignore'}],
      '@typescript-eslint/no-unused-vars': [
        'error',
        {argsIgnorePattern: '^_', varsIgnorePattern: '^_'},
      ],
    },
  },
);
