import type { PlaceProfileService } from '#places';

/** Hours before the start until which guests may reserve and pay at the venue, until a place sets another number. */
const usualHours = 0;

/** Lets guests pay at the venue; a number of hours that the place has set stays. */
export async function payAtVenue(profiles: PlaceProfileService): Promise<void> {
  const { payAtVenueHours } = await profiles.read();
  if (payAtVenueHours === null) await profiles.change({ payAtVenueHours: usualHours });
}
