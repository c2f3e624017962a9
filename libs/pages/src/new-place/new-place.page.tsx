import { FaultSummary } from '#page-kit';
import type { ConfirmPage } from './confirm.page.js';
import { NewPlaceForm } from './new-place-form.js';
import type { ShownForm } from './new-place-sections.js';
import { newPlaceWords } from './new-place.words.js';

/** The page with the form: faults are listed above it and have the focus. */
export function newPlacePage(shown: ShownForm): ConfirmPage {
  const words = newPlaceWords[shown.language];
  return {
    title: words.title,
    main: (
      <div class="new-place">
        <h1>{words.title}</h1>
        <p class="lead">{words.lead}</p>
        {shown.approval && <p>{words.approval}</p>}
        {!shown.checked && <FaultSummary title={words.faults(shown.faults.size)} faults={shown.faults} />}
        <NewPlaceForm {...shown} />
      </div>
    ),
  };
}
