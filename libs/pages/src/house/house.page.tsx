import { imagePath, variantWidths } from '#catalogue';
import { SafeHtml } from '#http';
import { currentLanguage, escapeForScript, type Language, type Settings } from '#kernel';
import {
  type PageSummary,
  AddressLines,
  descriptionHtml,
  descriptionText,
  excerpt,
  Gallery,
  houseTitle,
  mailLink,
  MapLink,
  pageDocument,
  pageWords,
  phoneLink,
  Picture,
  venueLinks,
  websiteLink,
} from '#page-kit';
import { tenantUrl, type TenantIdentity } from '#tenancy';
import type { ComponentChildren, VNode } from 'preact';
import { houseJsonLd } from './house-json-ld.js';
import { addressOf, type House } from './house.service.js';
import { houseWords } from './house.words.js';
import { Fact, Facts, Linked, labelledLines } from './labelled-lines.js';
import { daysAndTimes } from './opening-hours.js';

/** The page about a venue: description, pictures, opening hours, the way there, access, contact. */
export function housePage(house: House, tenant: TenantIdentity, settings: Settings): string {
  const language = currentLanguage();
  const { venue } = house;
  const url = tenantUrl(settings, tenant, '/house');
  const title = houseTitle(tenant, language);
  const text = descriptionText((venue.shortDescription || house.longDescription || '').slice(0, 5000));
  return pageDocument({
    tenant,
    language,
    title: `${title} · ${tenant.name}`,
    main: <Main house={house} tenant={tenant} title={title} language={language} />,
    venue,
    sheet: 'house',
    summary: {
      canonical: url,
      description: excerpt(text, 300),
      picture: pictureOf(house, tenant, settings),
      structured: escapeForScript(JSON.stringify(houseJsonLd(house, tenant, settings, url))),
    },
  });
}

function pictureOf({ image }: House, tenant: TenantIdentity, settings: Settings): PageSummary['picture'] {
  if (!image) return undefined;
  const width = Math.min(image.width, variantWidths.fhd);
  const url = tenantUrl(settings, tenant, imagePath(image.id, 'fhd', image.kind));
  return { url, width, height: Math.round((image.height * width) / image.width) };
}

interface MainProps {
  readonly house: House;
  readonly tenant: TenantIdentity;
  readonly title: string;
  readonly language: Language;
}

function Main({ house, tenant, title, language }: MainProps): VNode {
  const { venue, image, gallery, longDescription, openingHours } = house;
  const words = houseWords[language];
  const lead = descriptionText(venue.shortDescription ?? '');
  const long = descriptionHtml(longDescription ?? '');
  return (
    <>
      <div class="page-head">
        <h1>{title}</h1>
        {lead && (
          <p class="lead" dir="auto">
            {lead}
          </p>
        )}
      </div>
      {image && (
        <div class="frame">
          <Picture image={image} />
        </div>
      )}
      <div class="two far">
        <div class="flow">
          {long && (
            <div class="prose" dir="auto">
              <SafeHtml html={long} />
            </div>
          )}
          {openingHours && (
            <>
              <h2>{words.open}</h2>
              <OpeningHours text={openingHours} language={tenant.language} />
            </>
          )}
        </div>
        <WayAndContact house={house} language={language} />
      </div>
      <Access house={house} language={language} />
      <Gallery pictures={gallery} heading={words.pictures} />
    </>
  );
}

/** @param language of the venue, in which it names the days */
function OpeningHours({ text, language }: { readonly text: string; readonly language: Language }): VNode {
  return (
    <ul class="leaders number">
      {labelledLines(text).map((line) => {
        const hours = line.label === undefined ? daysAndTimes(line.text, language) : undefined;
        const { label, text: when } = hours ? { label: hours.days, text: hours.times } : line;
        return (
          <li dir="auto">
            {label !== undefined && <span>{label}</span>}
            <span class={label === undefined ? undefined : 'number'}>{when}</span>
          </li>
        );
      })}
    </ul>
  );
}

interface PartProps {
  readonly house: House;
  readonly language: Language;
}

/** Where the house is, how to get there, and how to reach its people; nothing when nothing is known. */
function WayAndContact({ house, language }: PartProps): VNode | null {
  const { venue, gettingHere } = house;
  const words = houseWords[language];
  const address = addressOf(house);
  const contact = contactOf(house, language);
  if (!address && !gettingHere && contact.length === 0) return null;
  return (
    <div>
      <div class="ticket">
        <div class="ticket-title line">
          <h2>{address || gettingHere ? words.findUs : pageWords[language].contact}</h2>
        </div>
        {address && (
          <>
            <p class="lead" dir="auto">
              <AddressLines address={address} homeCountry={venue.country ?? address.addressCountry} language={language} />
            </p>
            <p class="actions">
              <MapLink address={address} language={language} className="button other button-small" />
            </p>
          </>
        )}
        <Facts lines={labelledLines(gettingHere)} className="facts below" />
      </div>
      {contact.length > 0 && (
        <div class="stub stub-plain">
          <dl class="facts">
            {contact.map(([label, value]) => (
              <Fact label={label}>{value}</Fact>
            ))}
          </dl>
        </div>
      )}
    </div>
  );
}

function contactOf({ venue }: House, language: Language): (readonly [label: string, value: ComponentChildren])[] {
  const words = houseWords[language];
  const ways = [
    [words.telephone, phoneLink(venue.phone)],
    [words.mail, mailLink(venue.email)],
    [words.website, websiteLink(venue.website)],
  ] as const;
  const links = venueLinks(venue, pageWords[language]).map(({ text, address }) => [text, websiteLink(address)] as const);
  return [...ways.filter(([, value]) => value), ...links];
}

/** What people with disabilities find there, and whom to ask; nothing when nothing is known. */
function Access({ house: { accessibility, accessContact, venue }, language }: PartProps): VNode | null {
  if (!accessibility && !accessContact) return null;
  const words = houseWords[language];
  const contact = accessContact ? <Linked text={accessContact} /> : mailLink(venue.email) || phoneLink(venue.phone);
  return (
    <section class="part far">
      <h2>{words.access}</h2>
      <Facts lines={labelledLines(accessibility)} />
      {contact && (
        <dl class="facts">
          <Fact label={words.ask}>{contact}</Fact>
        </dl>
      )}
    </section>
  );
}
