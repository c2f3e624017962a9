import { useTranslation } from 'adminjs';
import { describing, FormField, Segments } from '#panel-kit/components/forms/FormField.js';
import { guichet } from '#panel-kit/components/page/guichet.js';
import type { Faults } from '#panel-kit/components/page/view.js';
import type { BoxOfficeView } from '../../../box-office/sale-view.js';
import type { SaleForm } from './sale-state.js';

/** The person who buys: address, name, and the language of the mails. */
export function Buyer({
  form,
  set,
  errors,
  needsEmail,
  ownLanguage,
  mailed,
  hasGiftCards,
  customers,
}: {
  readonly form: SaleForm;
  readonly set: (change: Partial<SaleForm>) => void;
  readonly errors: Faults;
  readonly needsEmail: boolean;
  readonly ownLanguage: string;
  /** Whether the server sends mails. */
  readonly mailed: boolean;
  /** Whether the venue has issued gift cards. */
  readonly hasGiftCards: boolean;
  /** Who may buy on account. */
  readonly customers: BoxOfficeView['customers'];
}) {
  const { tc } = useTranslation();
  return (
    <>
      <FormField
        name="email"
        label={tc('BoxOffice.email')}
        optional={!needsEmail}
        help={tc(mailed ? 'BoxOffice.emailHelp' : 'BoxOffice.emailKept')}
        fault={errors['email']}
      >
        <input
          id="email"
          type="email"
          inputMode="email"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={254}
          value={form.email}
          aria-required={needsEmail}
          {...describing('email', errors['email'])}
          onChange={({ target }) => set({ email: target.value })}
        />
      </FormField>
      <div className="gt-field-row">
        {(['firstName', 'lastName'] as const).map((name) => (
          <FormField key={name} name={name} label={tc(`BoxOffice.${name}`)} optional>
            <input
              id={name}
              type="text"
              autoComplete="off"
              maxLength={100}
              value={form[name]}
              onChange={({ target }) => set({ [name]: target.value })}
            />
          </FormField>
        ))}
      </div>
      <Segments
        name="language"
        label={tc('BoxOffice.language')}
        options={guichet.languages.map(({ code, label }) => ({ value: code, label }))}
        value={form.language || ownLanguage}
        onChange={(language) => set({ language })}
      />
      {hasGiftCards ? (
        <FormField name="giftCard" label={tc('BoxOffice.giftCard')} optional help={tc('BoxOffice.giftCardHelp')} fault={errors['giftCard']}>
          <input
            id="giftCard"
            type="text"
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            maxLength={40}
            value={form.giftCard}
            {...describing('giftCard', errors['giftCard'])}
            onChange={({ target }) => set({ giftCard: target.value })}
          />
        </FormField>
      ) : null}
      {customers.length > 0 ? (
        <FormField
          name="customerId"
          label={tc('BoxOffice.customer')}
          optional
          help={tc('BoxOffice.customerHelp')}
          fault={errors['customerId']}
        >
          <select
            id="customerId"
            value={form.customerId}
            {...describing('customerId', errors['customerId'])}
            onChange={({ target }) => set({ customerId: target.value })}
          >
            <option value="">{tc('BoxOffice.noCustomer')}</option>
            {customers.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </FormField>
      ) : null}
    </>
  );
}
