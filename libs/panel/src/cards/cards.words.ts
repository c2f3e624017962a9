import type { CardImportReport } from '#cards';
import type { Language } from '#kernel';
import type { FormReport, ResourceWords } from '#panel-kit';
export const cardWords: Record<Language, ResourceWords> = {
  en: {
    plural: 'NFC cards',
    singular: 'NFC card',
    properties: {
      tag: 'Tag',
      number: 'Printed number',
      ownerEmail: 'Owner’s e-mail',
      originTenantId: 'Origin tenant',
      origin: 'Origin',
      state: 'State',
      createdAt: 'Created',
      changedAt: 'Changed',
      id: 'Identifier',
    },
    actions: {
      new: 'New card',
      edit: 'Change',
      block: 'Block',
      markLost: 'Mark as lost',
      activate: 'Let it work again',
      import: 'Import a CSV file',
    },
    messages: {
      tagHelp: 'The UID that a reader shows: 4, 7 or 10 bytes, such as 04:A2:2F:1B:44:5E:80.',
      ownerHelp: 'At the door the card answers like the valid membership card of this person, at every place.',
      originHelp: 'The place that gave the card out. It sees the card in its API also without an owner.',
      blockSure: 'Block this card? Doors will not know it any more.',
      blocked: 'The card is blocked',
      markLostSure: 'Mark this card as lost? Doors will not know it any more.',
      markedLost: 'The card is marked as lost',
      activateSure: 'Let this card work again?',
      activated: 'The card works again',
      noFile: 'Choose a file.',
      confirmDelete: 'Delete this card? To stop a card that somebody has, block it instead.',
    },
  },
  fr: {
    plural: 'Cartes NFC',
    singular: 'Carte NFC',
    properties: {
      tag: 'Identifiant',
      number: 'Numéro imprimé',
      ownerEmail: 'E-mail du propriétaire',
      originTenantId: 'Lieu d’origine',
      origin: 'Origine',
      state: 'État',
      createdAt: 'Créée',
      changedAt: 'Modifiée',
      id: 'Identifiant interne',
    },
    actions: {
      new: 'Nouvelle carte',
      edit: 'Modifier',
      block: 'Bloquer',
      markLost: 'Déclarer perdue',
      activate: 'Réactiver',
      import: 'Importer un fichier CSV',
    },
    messages: {
      tagHelp: 'L’UID qu’un lecteur affiche : 4, 7 ou 10 octets, par exemple 04:A2:2F:1B:44:5E:80.',
      ownerHelp: 'À l’entrée, la carte répond comme la carte d’adhésion valide de cette personne, dans chaque lieu.',
      originHelp: 'Le lieu qui a remis la carte. Il voit la carte dans son API même sans propriétaire.',
      blockSure: 'Bloquer cette carte ? Les contrôles d’entrée ne la connaîtront plus.',
      blocked: 'La carte est bloquée',
      markLostSure: 'Déclarer cette carte perdue ? Les contrôles d’entrée ne la connaîtront plus.',
      markedLost: 'La carte est déclarée perdue',
      activateSure: 'Réactiver cette carte ?',
      activated: 'La carte fonctionne à nouveau',
      noFile: 'Choisissez un fichier.',
      confirmDelete: 'Supprimer cette carte ? Pour arrêter une carte que quelqu’un possède, bloquez-la plutôt.',
    },
  },
};

/** What the page says that imports a file. */
export const importWords = {
  en: {
    lead: 'A CSV file (UTF-8) whose first line names the columns: tag, and as far as there are any number, owner, origin, state. The exported list has this form.',
    facts: [
      'tag is the UID; owner is an e-mail address; origin is the short name of a tenant; state is active, blocked or lost.',
      'A line adds a card, or what a card does not say yet. It never changes what a card says: such a line is a fault. The same file can be imported twice.',
      'At most 50,000 lines and 5 MB.',
    ],
    file: 'File',
    mode: 'What to do',
    modes: {
      check: 'Only check',
      whole: 'Import if every line is right',
      rest: 'Import and leave wrong lines out',
    },
    submit: 'Go',
    faults: 'Faults',
    line: 'Line',
    more: (count: number) => `and ${count} more faults`,
  },
  fr: {
    lead: 'Un fichier CSV (UTF-8) dont la première ligne nomme les colonnes : tag et, s’il y en a, number, owner, origin, state. La liste exportée a cette forme.',
    facts: [
      'tag est l’UID ; owner une adresse e-mail ; origin le nom court d’un lieu ; state active, bloquée ou perdue.',
      'Une ligne ajoute une carte, ou ce qu’une carte ne dit pas encore. Elle ne change jamais ce qu’une carte dit : une telle ligne est une erreur. Le même fichier peut être importé deux fois.',
      'Au plus 50 000 lignes et 5 Mo.',
    ],
    file: 'Fichier',
    mode: 'Que faire',
    modes: {
      check: 'Seulement vérifier',
      whole: 'Importer si chaque ligne est correcte',
      rest: 'Importer sans les lignes fautives',
    },
    submit: 'Envoyer',
    faults: 'Erreurs',
    line: 'Ligne',
    more: (count: number) => `et ${count} autres erreurs`,
  },
} as const;

const counted = {
  en: (report: CardImportReport): readonly string[] => [
    `Lines read: ${report.lines}`,
    `New cards: ${report.added}`,
    `Cards completed: ${report.completed}`,
    `Nothing new: ${report.unchanged}`,
    `Faults: ${report.faultsCount}`,
  ],
  fr: (report: CardImportReport): readonly string[] => [
    `Lignes lues : ${report.lines}`,
    `Nouvelles cartes : ${report.added}`,
    `Cartes complétées : ${report.completed}`,
    `Rien de nouveau : ${report.unchanged}`,
    `Erreurs : ${report.faultsCount}`,
  ],
};

const titles = {
  imported: { en: 'Imported', fr: 'Importé' },
  checked: { en: 'Checked: nothing was imported', fr: 'Vérifié : rien n’a été importé' },
  refused: { en: 'Nothing was imported: the file has faults', fr: 'Rien n’a été importé : le fichier a des erreurs' },
};

/** What came of an import, in the user's language. */
export function importReport(report: CardImportReport, language: Language, isCheck: boolean): FormReport {
  const title = report.isImported ? titles.imported : isCheck ? titles.checked : titles.refused;
  const tone = report.faultsCount > 0 ? 'bad' : report.isImported ? 'good' : 'info';
  const words = importWords[language];
  return {
    title: title[language],
    tone,
    facts: [...counted[language](report)],
    ...(report.faultsCount > 0 && {
      table: {
        title: words.faults,
        head: [words.line, words.faults],
        rows: report.faults.map(({ line, message }) => [String(line), message]),
        ...(report.faultsCount > report.faults.length && { more: words.more(report.faultsCount - report.faults.length) }),
      },
    }),
  };
}
