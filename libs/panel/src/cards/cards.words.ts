import type { CardImportReport } from '#cards';
import type { Language } from '#kernel';
import type { FormReport, ResourceWords } from '#panel-kit';
import { texts } from '../locales/panel.texts.js';

export const cardWords: Record<Language, ResourceWords> = texts.perLanguage('cards', ({ words }) => words);

/** Texts of the page that imports a file. */
export const importWords = texts.perLanguage('cards.import', ({ words, t }) => ({
  ...words,
  more: (count: number) => t('cards.import.more', { count }),
}));

const counted = texts.perLanguage('cards.counted', ({ t }) => (report: CardImportReport): readonly string[] => [
  t('cards.counted.lines', { count: report.lines }),
  t('cards.counted.added', { count: report.added }),
  t('cards.counted.completed', { count: report.completed }),
  t('cards.counted.unchanged', { count: report.unchanged }),
  t('cards.counted.faults', { count: report.faultsCount }),
]);

const titles = {
  imported: texts.localized('cards.titles.imported'),
  checked: texts.localized('cards.titles.checked'),
  refused: texts.localized('cards.titles.refused'),
};

/** The result of an import, in the user's language. */
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
