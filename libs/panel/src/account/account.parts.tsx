import type { Language } from '#kernel';
import { PANEL_PATH, PlainField } from '#panel-kit';
import { maximumPasswordLength, type FactorState, type OwnAccount, type OwnPasskey, type OwnSession } from '#tenancy';
import type { ComponentChildren, VNode } from 'preact';

/** Path of the page. */
export const accountPath = `${PANEL_PATH}/account`;

/** What the page says above everything: that something was done, or why not. */
export interface AccountNotice {
  readonly done?:
    | 'saved'
    | 'passwordSaved'
    | 'ended'
    | 'endedOthers'
    | 'factorOn'
    | 'factorOff'
    | 'factorKept'
    | 'passkeyAdded'
    | 'passkeyRenamed'
    | 'passkeyRemoved'
    | undefined;
  readonly fault?: string;
}

/** The facts of the page. */
export interface AccountView {
  readonly account: OwnAccount;
  readonly sessions: readonly OwnSession[];
  readonly factor: FactorState;
  readonly passkeys: readonly OwnPasskey[];
  /** When somebody asked to reset the second factor; undefined: nobody did. */
  readonly resetAskedAt: Date | undefined;
  /** Where this page is; undefined: at an address where browsers have no passkeys. */
  readonly host: string | undefined;
  readonly timeZone: string;
  readonly notice: AccountNotice;
}

export interface PartProps {
  readonly view: AccountView;
  readonly language: Language;
}

/** A part of the page. */
export function Part({ title, children }: { readonly title: string; readonly children: ComponentChildren }): VNode {
  return (
    <section>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

/** Asks for the password in use. The hidden address tells password managers whose it is. */
export function PresentPassword({ name, email, label }: { readonly name: string; readonly email: string; readonly label: string }): VNode {
  return (
    <>
      <input type="text" name="username" autocomplete="username" value={email} readonly tabindex={-1} hidden />
      <PlainField
        name={name}
        label={label}
        attributes={{ type: 'password', autocomplete: 'current-password', maxlength: maximumPasswordLength }}
      />
    </>
  );
}
