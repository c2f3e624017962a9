import { texts } from '../locales/messages.texts.js';

/** Texts of mails about waiting lists. Plain text; the caller escapes it. */
export const waitingMailWords = texts.perLanguage('waiting', ({ words, t }) => ({
  ...words,
  footer: (venue: string) => t('waiting.footer', { venue }),
  codeStates: {
    kept: (code: string) => t('waiting.codeStates.kept', { code }),
    used: (code: string) => t('waiting.codeStates.used', { code }),
    gone: (code: string) => t('waiting.codeStates.gone', { code }),
  },
  confirm: {
    ...words.confirm,
    subject: (event: string) => t('waiting.confirm.subject', { event }),
    lead: (event: string) => t('waiting.confirm.lead', { event }),
  },
  status: {
    ...words.status,
    subject: (event: string) => t('waiting.status.subject', { event }),
    lead: (event: string) => t('waiting.status.lead', { event }),
  },
  offer: {
    ...words.offer,
    subject: (event: string) => t('waiting.offer.subject', { event }),
    lead: (count: number, event: string) => t('waiting.offer.lead', { count, event }),
    until: (time: string) => t('waiting.offer.until', { time }),
  },
}));
