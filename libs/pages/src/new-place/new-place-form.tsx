import { Dotted } from '#http';
import { approvalDays, formCategories } from '#places';
import { categories } from '#tenancy';
import type { VNode } from 'preact';
import { CheckboxField, Fault, faulty, fieldClass } from '#page-kit';
import { About, PlaceSettings, Pictures, type ShownForm, Where, You } from './new-place-sections.js';
import { newPlaceWords } from './new-place.words.js';

/** The form for a new place. Works without scripts. */
export function NewPlaceForm(shown: ShownForm): VNode {
  const { language, hidden, invited, hours, approval, isMailed } = shown;
  const words = newPlaceWords[language];
  const next = !isMailed ? words.nextKept : approval ? words.nextApproval(approvalDays) : words.next;
  return (
    <form class="sheet" method="post" action="/tenant/new/" enctype="multipart/form-data" novalidate>
      {Object.entries(hidden).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      {/* The Enter key activates the first button of a form; this one submits it. */}
      <button class="implied" name="action" value="send" tabindex={-1} aria-hidden="true">
        {words.send}
      </button>
      <Kinds {...shown} />
      <About {...shown} />
      <You {...shown} />
      <Where {...shown} />
      <Pictures {...shown} />
      <PlaceSettings {...shown} />
      <div class="closing">
        <Terms {...shown} />
        <p>
          <button class="button" name="action" value="send">
            {invited ? words.sendInvited : words.send}
          </button>
        </p>
        <p class="hint">
          {invited ? words.nextInvited : next} {words.privacy(hours)}
        </p>
      </div>
    </form>
  );
}

function Kinds({ form, language, faults }: ShownForm): VNode {
  const fault = faults.get('category');
  return (
    <fieldset id="category" tabindex={-1} class={fieldClass('kinds', fault)}>
      <legend class="display">{newPlaceWords[language].kind.legend}</legend>
      <Fault name="category" fault={fault} />
      {formCategories.map((code) => {
        const { label, description } = categories[code];
        const id = `category-${code}`;
        return (
          <div class="choice">
            <input
              type="radio"
              id={id}
              name="category"
              value={code}
              required
              checked={form.category === code}
              {...faulty('category', fault)}
            />
            <label for={id}>
              <strong>{label[language]}</strong> <span>{description[language]}</span>
            </label>
          </div>
        );
      })}
    </fieldset>
  );
}

function Terms({ form, language, faults, legal }: ShownForm): VNode {
  const { terms } = newPlaceWords[language];
  // Nobody accepts what there is not to read.
  const hasTerms = legal.some(([, path]) => path === '/terms');
  const links = legal.map(([text, path]) => (
    <a href={path} target="_blank" rel="noopener">
      {text}
    </a>
  ));
  return (
    <>
      {links.length > 0 && (
        <p class="hint">
          {terms.links} <Dotted facts={links} />
        </p>
      )}
      <CheckboxField
        field={{ name: 'terms', label: hasTerms ? terms.label : terms.mayAct, fault: faults.get('terms') }}
        checked={form.terms}
        attributes={{ required: true }}
      />
    </>
  );
}
