import { startDoor } from './app/start.js';
import { createStandIn } from './stand-in/engine.js';

void startDoor(createStandIn());
