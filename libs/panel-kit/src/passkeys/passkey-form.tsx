import type { VNode } from 'preact';

interface PasskeyFormProps {
  /** Where the answer of the browser is sent; with GET it has what the browser needs. */
  readonly action: string;
  /** Also sent. */
  readonly query?: string;
  readonly label: string;
  /** Said when the browser did not answer. */
  readonly fault: string;
  /** Makes a passkey instead of using one. */
  readonly isNew?: boolean;
  readonly isMain?: boolean;
  readonly children?: VNode;
}

/** A button that asks the browser for a passkey. It is shown by a script, where browser and site have passkeys. */
export function PasskeyForm({ action, query = '', label, fault, isNew, isMain, children }: PasskeyFormProps): VNode {
  return (
    <form method="post" action={`${action}${query}`} class="gt-passkey" data-passkey={action} data-act={isNew ? 'new' : 'use'} hidden>
      {children}
      <input type="hidden" name="credential" value="" />
      <p class="gt-fault" role="alert" hidden>
        {fault}
      </p>
      <button class={`gt-button gt-button-wide${isMain ? '' : ' gt-button-quiet'}`} type="submit">
        {label}
      </button>
    </form>
  );
}
