import type { Language } from '#kernel';
import { texts } from '../locales/panel-kit.texts.js';

/** Why a proof was refused. */
export type ProofFault = { readonly wrong: true } | { readonly seconds: number } | { readonly passkey: true };

/** What a person may prove with besides the password. */
export interface ProofWays {
  readonly app: boolean;
  readonly passkey: boolean;
}

/** The texts of page and dialog. */
export interface ProofWords {
  readonly title: string;
  readonly lead: string;
  readonly label: string;
  readonly submit: string;
  readonly cancel: string;
  /** Null: the person has none. */
  readonly passkey: string | null;
  readonly passkeyFault: string;
  readonly errorTitle: string;
  readonly fault: string | null;
}

const words = texts.perLanguage('proof', ({ words: own, t }) => ({
  ...own,
  locked: (seconds: number) => t('proof.locked', { minutes: Math.ceil(seconds / 60) }),
}));

export function proofWords(language: Language, ways: ProofWays, fault?: ProofFault): ProofWords {
  const { title, lead, submit, cancel, passkey, passkeyFault, wrong, passkeyRefused, label, labelWithCode, errorTitle, locked } =
    words[language];
  const refused = fault && ('seconds' in fault ? locked(fault.seconds) : 'passkey' in fault ? passkeyRefused : wrong);
  return {
    title,
    lead,
    label: ways.app ? labelWithCode : label,
    submit,
    cancel,
    passkey: ways.passkey ? passkey : null,
    passkeyFault,
    errorTitle,
    fault: refused ?? null,
  };
}
