import { currency, currentLanguage, dayWords, dotted, moneyWords } from '#kernel';
import { SafeHtml } from '#http';
import { descriptionHtml, Picture } from '#page-kit';
import type { ShownCampaign } from '#selling';
import { currentTenant } from '#tenancy';
import type { VNode } from 'preact';
import { donationWords } from './donation.words.js';

/** How far a campaign is. */
function reachedWords({ reached, goal, given, endsAt }: ShownCampaign): string {
  const language = currentLanguage();
  const words = donationWords[language];
  const money = (amount: string): string => moneyWords(amount, currency, language);
  const sum = goal === null ? words.reachedAlone(money(reached)) : words.reached(money(reached), money(goal));
  const until = endsAt ? [words.until(dayWords(endsAt, language, currentTenant().timeZone))] : [];
  return dotted([sum, ...(given > 0 ? [words.given(given)] : []), ...until]);
}

/** What a campaign is about, and how far it is. */
export function CampaignStory({ campaign }: { readonly campaign: ShownCampaign }): VNode {
  const { title, text, image, goal, reached } = campaign;
  return (
    <>
      {image && <Picture image={image} />}
      {goal !== null && <progress value={Number(reached)} max={Number(goal)} aria-label={title} />}
      <p>
        <strong>{reachedWords(campaign)}</strong>
      </p>
      {text !== null && (
        <div class="prose">
          <SafeHtml html={descriptionHtml(text)} />
        </div>
      )}
    </>
  );
}

/** The campaigns of the venue; nothing without any. */
export function CampaignList({ campaigns }: { readonly campaigns: readonly ShownCampaign[] }): VNode | null {
  if (campaigns.length === 0) return null;
  return (
    <section class="part">
      <h2>{donationWords[currentLanguage()].campaigns}</h2>
      <ul class="cards">
        {campaigns.map((campaign) => (
          <li class="card">
            {campaign.image && <Picture image={campaign.image} isLazy />}
            <h3>
              <a href={`/donate/${campaign.id}`}>{campaign.title}</a>
            </h3>
            <p class="hint">{reachedWords(campaign)}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
