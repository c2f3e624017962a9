import type { Language } from '#kernel';
import { currentPanelRequest, formView, PanelFieldError, UploadedFile, type FormReport, type PanelPage } from '#panel-kit';
import type { CodeImportReport, CodeImportsService } from '#tickets';
import { refusable } from '../forms/refusals.js';
import { texts } from '../locales/panel.texts.js';
import { readCodeLines } from './code-lines.js';

const modes = ['check', 'import'] as const;
/** Lists of the code, by their fields in its form. */
const formFields: Readonly<Record<string, string>> = { eventIds: 'eventId', productIds: 'productId', priceIds: 'priceId' };
/** Faults that the page lists. */
const mostFaults = 500;

const words = texts.perLanguage('codes.import', ({ words: own, t }) => ({
  ...own,
  lines: (count: number) => t('codes.import.counted.lines', { count }),
  added: (count: number) => t('codes.import.counted.added', { count }),
  unchanged: (count: number) => t('codes.import.counted.unchanged', { count }),
  faulty: (count: number) => t('codes.import.counted.faults', { count }),
  ofField: (field: string, message: string) => t('codes.import.ofField', { field, message }),
  more: (count: number) => t('codes.import.more', { count }),
}));
const properties: Readonly<Record<Language, Readonly<Record<string, string>>>> = texts.perLanguage(
  'codes',
  ({ words: { properties: own } }) => own,
);

/** The page that makes the codes of a CSV file. */
export function codesImportPage(imports: CodeImportsService): PanelPage {
  return {
    icon: 'Upload',
    component: 'ActionForm',
    view: async () => {
      const { lead, facts, file, mode, modes: names, submit } = words[currentPanelRequest().language];
      return formView({
        lead: [lead],
        facts: [...facts],
        fields: [
          { name: 'file', kind: 'file', label: file, accept: '.csv,text/csv', required: true },
          { name: 'mode', kind: 'choice', label: mode, value: 'check', options: modes.map((value) => ({ value, label: names[value] })) },
        ],
        submit,
      });
    },
    act: async (values) => {
      const file: unknown = values['file'];
      if (!(file instanceof UploadedFile)) throw new PanelFieldError({ file: { message: 'noFile' } });
      const isCheck = values['mode'] !== 'import';
      const report = await refusable(async () => {
        const { lines, faults } = await readCodeLines(file.stream());
        return imports.run(lines, faults, isCheck);
      });
      return { view: { report: reportOf(report, currentPanelRequest().language, isCheck) } };
    },
  };
}

function reportOf({ faults, isImported, ...counts }: CodeImportReport, language: Language, isCheck: boolean): FormReport {
  const own = words[language];
  const lines = new Set(faults.map(({ line }) => line)).size;
  return {
    title: isImported ? own.titles.imported : isCheck ? own.titles.checked : own.titles.refused,
    tone: faults.length > 0 ? 'bad' : isImported ? 'good' : 'info',
    facts: [own.lines(counts.lines), own.added(counts.added), own.unchanged(counts.unchanged), own.faulty(lines)],
    ...(faults.length > 0 && {
      table: {
        title: own.faults,
        head: [own.line, own.faults],
        rows: faults
          .slice(0, mostFaults)
          .map(({ line, field, message }) => [
            String(line),
            field === undefined ? message : own.ofField(properties[language][formFields[field] ?? field] ?? field, message),
          ]),
        ...(faults.length > mostFaults && { more: own.more(faults.length - mostFaults) }),
      },
    }),
  };
}
