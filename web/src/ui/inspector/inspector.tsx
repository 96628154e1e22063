// The inspector: what is selected, in numbers that can be changed.
import { selected, selection } from '../../model/selection';
import { scene } from '../../model/store';
import { BodyInspector } from './body';
import { DriverInspector } from './driver';
import { HoldInspector } from './hold';
import { JunctionInspector } from './junction';
import { LoadInspector } from './load';
import { MaterialInspector, SectionInspector } from './make';
import { ObstacleInspector } from './obstacle';
import { ReevingInspector, reevingAt } from './reeving';
import { RodInspector } from './rod';
import { SceneInspector } from './scene';
import { SceneryInspector } from './scenery';
import { SeveralInspector } from './several';

export function Inspector() {
  const known = scene.value;
  const thing = selection.value;
  if (selected.value.length > 1) return <SeveralInspector />;
  if (!known) return <p class="quiet">Waiting for the scene…</p>;
  const named = <T extends { name: string }>(list: readonly T[]): T | undefined =>
    'name' in thing ? list.find((item) => item.name === thing.name) : undefined;
  switch (thing.kind) {
    case 'rod': {
      const rod = named(known.rods);
      if (rod) return <RodInspector key={rod.name} rod={rod} s={thing.s} />;
      break;
    }
    case 'hold': {
      const hold = named(known.holds);
      if (hold) return <HoldInspector key={hold.name} hold={hold} />;
      break;
    }
    case 'body': {
      const body = named(known.bodies);
      if (body) return <BodyInspector key={body.name} body={body} />;
      break;
    }
    case 'junction': {
      const junction = named(known.junctions);
      if (junction) return <JunctionInspector key={junction.name} junction={junction} />;
      break;
    }
    case 'material': {
      const material = named(known.materials);
      if (material) return <MaterialInspector key={material.name} material={material} />;
      break;
    }
    case 'section': {
      const section = named(known.sections);
      if (section) return <SectionInspector key={section.name} section={section} />;
      break;
    }
    case 'load': {
      const load = [...known.forces, ...known.torques].find((candidate) => candidate.path === thing.path);
      if (load) return <LoadInspector key={load.path} load={load} />;
      break;
    }
    case 'driver': {
      const driver = known.drivers.find((candidate) => candidate.path === thing.path);
      if (driver) return <DriverInspector key={driver.path} driver={driver} />;
      break;
    }
    case 'reeving': {
      const found = reevingAt(known, thing.path);
      if (found) return <ReevingInspector key={thing.path} found={found} />;
      break;
    }
    case 'obstacle': {
      const obstacle = known.obstacles.find((candidate) => candidate.path === thing.path);
      if (obstacle) return <ObstacleInspector key={obstacle.path} obstacle={obstacle} />;
      break;
    }
    case 'scenery': {
      const item = named(known.scenery);
      if (item) return <SceneryInspector key={item.name} item={item} />;
      break;
    }
    case 'scene':
      break;
  }
  // also when what was selected is gone
  return <SceneInspector />;
}
