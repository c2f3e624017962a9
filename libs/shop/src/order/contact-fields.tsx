import type { Language } from '#kernel';
import { CheckboxField, InputField, PrivacyLink } from '#page-kit';
import type { ComponentChildren, VNode } from 'preact';
import type { TypedContact } from './contact-form.dto.js';
import { EmailField } from '../frame/email-field.js';
import { orderWords, type OrderWords } from '../frame/order.words.js';

/** What was typed, and what is wrong with it. */
interface Typed {
  readonly typed: TypedContact;
  /** By the id of the field. */
  readonly faults: ReadonlyMap<string, string>;
}

export function Fieldset({ legend, children }: { readonly legend: string; readonly children: ComponentChildren }): VNode {
  return (
    <fieldset>
      <legend class="display">{legend}</legend>
      {children}
    </fieldset>
  );
}

interface ContactProps extends Typed {
  readonly words: OrderWords;
  readonly emailHint: string;
  /** What stands below the address. */
  readonly children?: ComponentChildren;
}

/** Who orders: address and name. */
export function ContactFields({ typed, faults, words, emailHint, children }: ContactProps): VNode {
  const valueOf = (name: string): string => typed(name)[0] ?? '';
  const nameField = (name: 'first_name' | 'last_name', label: string, autocomplete: string): VNode => (
    <InputField
      field={{ name, label, optional: true, fault: faults.get(name) }}
      attributes={{ value: valueOf(name), maxlength: 100, autocomplete }}
    />
  );
  return (
    <Fieldset legend={words.contact}>
      <EmailField label={words.email} value={valueOf('email')} hint={emailHint} fault={faults.get('email')} />
      {children}
      <div class="pair">
        {nameField('first_name', words.firstName, 'given-name')}
        {nameField('last_name', words.lastName, 'family-name')}
      </div>
    </Fieldset>
  );
}

interface ClosingProps extends Typed {
  readonly language: Language;
  readonly hasTerms: boolean;
  readonly hasPrivacy: boolean;
  /** Label of the button. */
  readonly send: ComponentChildren;
  /** What stands below the button. */
  readonly children?: ComponentChildren;
}

/** The end of a form: terms and privacy notice, where the venue has them, and the button. */
export function Closing({ typed, faults, language, hasTerms, hasPrivacy, send, children }: ClosingProps): VNode {
  return (
    <div class="closing">
      {hasTerms && <Terms typed={typed} faults={faults} language={language} />}
      {hasPrivacy && <PrivacyLink language={language} />}
      <p>
        <button class="button">{send}</button>
      </p>
      {children}
    </div>
  );
}

function Terms({ typed, faults, language }: Pick<ClosingProps, 'typed' | 'faults' | 'language'>): VNode {
  const words = orderWords[language];
  const isAccepted = (typed('terms')[0] ?? '') !== '';
  return (
    <>
      <CheckboxField
        field={{ name: 'terms', label: words.terms, fault: faults.get('terms') }}
        checked={isAccepted}
        attributes={{ required: true }}
      />
      <p>
        <a href="/terms" target="_blank" rel="noopener">
          {words.readTerms}
        </a>
      </p>
    </>
  );
}
