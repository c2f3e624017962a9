import { texts } from '../locales/panel.texts.js';

/** Texts of the forms that change a tenant. */
export const lifeWords = texts.perLanguage('tenants.life', ({ words, t, tree }) => ({
  ...words,
  /** Labels of acts, in the record of changes. */
  done: words.done as Readonly<Record<string, string>>,
  confirmation: (slug: string) => t('tenants.life.confirmation', { slug }),
  acts: {
    ...words.acts,
    suspend: (name: string) => tree(words.acts.suspend, { name }),
    resume: (name: string) => tree(words.acts.resume, { name }),
    archive: (name: string) => tree(words.acts.archive, { name }),
    restore: (name: string) => tree(words.acts.restore, { name }),
    delete: (name: string, days: number) => tree(words.acts.delete, { name, days }),
  },
}));

/** Texts of the resource of tenants besides its own names. */
export const tenantWords = texts.perLanguage('tenants.tenant', ({ words }) => words);
