import {
  entryFindings,
  ibanWords,
  type CsvField,
  type OrderedRefundsService,
  type StatementUploadsService,
  type TransferAccountService,
} from '#transfers';
import {
  currentPanelRequest,
  euros,
  formView,
  isChecked,
  PanelFieldError,
  recordHref,
  textOf,
  UploadedFile,
  type FormReport,
  type PanelPage,
} from '#panel-kit';
import { refusable } from '../forms/refusals.js';
import { transferForms } from './transfers.words.js';

const wordsNow = () => transferForms[currentPanelRequest().language];

/** Columns of a CSV file that staff may name. */
const columns = ['bookedOn', 'text', 'amount', 'credit', 'debit', 'name', 'iban'] as const satisfies readonly CsvField[];

/** The page on which staff enter the bank account of the venue. */
export function accountPage(accounts: TransferAccountService): PanelPage {
  return {
    icon: 'Settings',
    component: 'ActionForm',
    view: async () => {
      const words = wordsNow();
      const account = await accounts.read();
      return formView({
        lead: [words.accountLead],
        fields: [
          { name: 'iban', kind: 'text', label: 'IBAN', value: account ? ibanWords(account.iban) : '', required: true, longest: 60 },
          { name: 'bic', kind: 'text', label: 'BIC', value: account?.bic ?? '', help: words.bicHelp, longest: 20 },
          { name: 'holder', kind: 'text', label: words.holder, value: account?.holder ?? '', required: true, longest: 70 },
          {
            name: 'days',
            kind: 'text',
            label: words.days,
            value: String(account?.days ?? 10),
            help: words.daysHelp,
            required: true,
            longest: 3,
          },
          { name: 'offered', kind: 'choice', label: words.offered, value: account?.offered === false ? 'false' : 'true', options: yesNo() },
        ],
        submit: words.save,
      });
    },
    act: async (values) => {
      const [iban, bic, holder] = [textOf(values['iban']), textOf(values['bic']), textOf(values['holder'])];
      const days = Number(textOf(values['days']).trim() || Number.NaN);
      await refusable(() => accounts.save({ iban, bic, holder, days, offered: isChecked(values['offered']) }));
      return { message: 'accountSaved' };
    },
  };
}

const yesNo = () => {
  const { yes, no } = wordsNow();
  return [
    { value: 'true', label: yes },
    { value: 'false', label: no },
  ];
};

/** The page on which staff upload statements of their bank. */
export function uploadPage(uploads: StatementUploadsService): PanelPage {
  return {
    icon: 'Upload',
    component: 'ActionForm',
    variant: 'primary',
    view: () => {
      const words = wordsNow();
      return Promise.resolve(
        formView({
          lead: [words.uploadLead],
          facts: [...words.uploadFacts],
          fields: [
            { name: 'file', kind: 'file', label: words.file, accept: '.xml,.csv,.txt,application/xml,text/xml,text/csv', required: true },
            ...columns.map((name) => ({
              name,
              kind: 'text' as const,
              label: words.columns[name],
              longest: 60,
              when: { field: 'file', values: ['.csv', '.txt'] },
              ...(name === 'bookedOn' && { help: words.columnsHelp }),
            })),
          ],
          submit: words.upload,
        }),
      );
    },
    act: async (values) => {
      const file: unknown = values['file'];
      if (!(file instanceof UploadedFile)) throw new PanelFieldError({ file: { message: 'noFile' } });
      const named = Object.fromEntries(columns.map((name) => [name, textOf(values[name]).trim()]));
      const { entries, added, findings } = await refusable(() => uploads.upload('statement', file.bytes(), named));
      const { language } = currentPanelRequest();
      const words = wordsNow();
      const report: FormReport = {
        title: words.uploaded,
        tone: 'good',
        facts: [words.entries(entries), words.added(added)],
        ...(added > 0 && {
          table: {
            title: words.found,
            head: [words.finding, words.number],
            rows: Object.entries(findings).map(([finding, count]) => [
              entryFindings[finding as keyof typeof entryFindings][language],
              String(count),
            ]),
          },
        }),
      };
      return { view: { report } };
    },
  };
}

/** The page on which staff order what is to be paid back, as a file for their bank. */
export function refundsPage(refunds: OrderedRefundsService): PanelPage {
  return {
    icon: 'CornerUpLeft',
    component: 'ActionForm',
    view: async () => {
      const { language } = currentPanelRequest();
      const words = wordsNow();
      const { count, amount, withoutAccount } = await refunds.due();
      const left = withoutAccount > 0 ? [words.withoutAccount(withoutAccount)] : [];
      if (count === 0) return formView({ lead: [words.nothingDue, ...left], fields: [] });
      return formView({
        lead: [words.orderLead],
        facts: [words.due(count, euros(amount, language)), ...left],
        fields: [],
        submit: words.order,
      });
    },
    act: async () => {
      const id = await refunds.order();
      if (id === undefined) throw new PanelFieldError({}, wordsNow().nothingDue);
      return { message: 'refundsOrdered', redirect: recordHref('refund-orders', id) };
    },
  };
}
