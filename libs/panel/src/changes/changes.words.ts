import { texts } from '../locales/panel.texts.js';

type Words = Readonly<Record<string, string>>;

/** Texts of the record of changes. */
export const changeWords = texts.perLanguage('changes', ({ words, t }) => ({
  ...words,
  kinds: words.kinds as Words,
  names: words.names as Words,
  the: words.the as Words,
  columns: words.columns as Words,
  who: {
    ...words.who,
    support: (name: string) => t('changes.who.support', { name }),
    key: (name: string) => t('changes.who.key', { name }),
    device: (name: string) => t('changes.who.device', { name }),
  },
  acts: {
    created: (who: string, what: string) => t('changes.acts.created', { who, what }),
    createdPublished: (who: string, what: string) => t('changes.acts.createdPublished', { who, what }),
    published: (who: string, what: string) => t('changes.acts.published', { who, what }),
    unpublished: (who: string, what: string) => t('changes.acts.unpublished', { who, what }),
    changed: (who: string, what: string) => t('changes.acts.changed', { who, what }),
    details: (who: string, what: string, details: string) => t('changes.acts.details', { who, what, details }),
    amount: (who: string, what: string, before: string, after: string) => t('changes.acts.amount', { who, what, before, after }),
    deleted: (who: string, what: string) => t('changes.acts.deleted', { who, what }),
    erased: (who: string, name: string) => t('changes.acts.erased', { who, name }),
    pruned: (who: string) => t('changes.acts.pruned', { who }),
    act: (who: string, details: string) => t('changes.acts.act', { who, details }),
    reason: (sentence: string, reason: string) => t('changes.acts.reason', { sentence, reason }),
    undone: (sentence: string) => t('changes.acts.undone', { sentence }),
  },
  fields: {
    changed: (field: string, before: string, after: string) => t('changes.fields.changed', { field, before, after }),
    set: (field: string, after: string) => t('changes.fields.set', { field, after }),
    cleared: (field: string, before: string) => t('changes.fields.cleared', { field, before }),
    added: (name: string) => t('changes.fields.added', { name }),
    removed: (name: string) => t('changes.fields.removed', { name }),
    altered: (name: string) => t('changes.fields.altered', { name }),
  },
  titled: (the: string, title: string) => t('changes.titled', { the, title }),
  named: (name: string, title: string) => t('changes.named', { name, title }),
}));

export type ChangeWords = (typeof changeWords)['en'];

/** What a right is about. */
export const scopeWords = texts.perLanguage('people', ({ words }): Words => words.scopes);
