import { InputField } from '#page-kit';
import type { ComponentChildren, VNode } from 'preact';

interface EmailProps {
  readonly label: string;
  readonly value: string;
  readonly hint?: string | undefined;
  readonly fault: string | undefined;
  /** What is around or beside the control. */
  readonly wrap?: (control: VNode) => ComponentChildren;
}

/** The e-mail address of a buyer. */
export function EmailField({ label, value, hint, fault, ...more }: EmailProps): VNode {
  return (
    <InputField
      field={{ name: 'email', label, hint, fault }}
      attributes={{ type: 'email', value, required: true, maxlength: 254, autocomplete: 'email' }}
      {...more}
    />
  );
}
