import { startDoor } from './start.js';
import { createEngine } from './core/index.js';
import { battery } from './device/battery.js';
import { keepsData } from './device/keeping.js';
import { language } from './texts/texts.js';

const engine = createEngine({
  appVersion: BUILD_VERSION,
  language: () => language.value.code,
  battery: () => ({ level: battery.value?.percent ?? null, charging: battery.value?.charging ?? null }),
  persistent: keepsData,
});
void startDoor(engine);
