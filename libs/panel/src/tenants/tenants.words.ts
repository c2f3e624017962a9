import type { Language } from '#kernel';
import type { LifeAct } from '#tenancy';
import { texts } from '../locales/panel.texts.js';

interface ActWords {
  readonly lead: string;
  readonly facts: string[];
  readonly submit: string;
}

interface LifeWords {
  readonly name: string;
  readonly language: string;
  readonly timeZone: string;
  readonly timeZoneHelp: string;
  readonly category: string;
  readonly categoryHelp: string;
  readonly changeLead: string;
  readonly save: string;
  readonly reason: string;
  readonly reasonShown: string;
  readonly reasonKept: string;
  readonly confirmation: (slug: string) => string;
  readonly acts: Readonly<Record<LifeAct, (name: string, days: number) => ActWords>>;
  /** Labels of acts, in the record of changes. */
  readonly done: Readonly<Record<string, string>>;
}

/** Texts of the forms that change a tenant. */
export const lifeWords: Readonly<Record<Language, LifeWords>> = texts.perLanguage('tenants.life', ({ words, t, tree }) => ({
  ...words,
  confirmation: (slug) => t('tenants.life.confirmation', { slug }),
  acts: {
    ...words.acts,
    suspend: (name) => tree(words.acts.suspend, { name }),
    resume: (name) => tree(words.acts.resume, { name }),
    archive: (name) => tree(words.acts.archive, { name }),
    restore: (name) => tree(words.acts.restore, { name }),
    delete: (name, days) => tree(words.acts.delete, { name, days }),
  },
}));

/** Texts of the resource of tenants besides its own names. */
export const tenantWords = texts.perLanguage('tenants.tenant', ({ words }) => words);
