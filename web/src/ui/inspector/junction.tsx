// A junction: the cables it joins and where.
import { selection } from '../../model/selection';
import { tell } from '../../model/session';
import type { Junction } from '../../protocol/scene';
import { Group, NumberField, Row } from '../fields';
import { Icon } from '../icons';
import { takePlace } from '../typed';
import { Subject } from './subject';

export function JunctionInspector({ junction }: { junction: Junction }) {
  return (
    <>
      <Subject thing={{ kind: 'junction', name: junction.name }} icon="junction" kind={`Joins ${junction.rods.length} cables`} name={junction.name} renamed="junction" removeHint="Take it apart" />
      <Group title="Cables">
        {junction.rods.map(({ rod, s }) => {
          const where = `${junction.path} ${rod}`;
          return (
            <Row key={rod} label={rod} where={where} hint="Where along this cable">
              <div class="with-button">
                <NumberField value={s} quantity="length" label={`Place along ${rod}`} where={where} commit={takePlace(where, (at) => void tell('move_junction', { junction: junction.name, rod, at }, where))} />
                <button class="button small square framed" aria-label={`Take ${rod} out`} title={`Take ${rod} out of the junction`} onClick={() => void tell('separate', { junction: junction.name, rod }, where)}><Icon name="scissors" /></button>
              </div>
            </Row>
          );
        })}
        <div class="actions">
          <button class="button small framed" title="Every cable for itself" onClick={() => void tell('separate', { junction: junction.name }).then((reply) => reply && (selection.value = { kind: 'scene' }))}>Take apart</button>
        </div>
      </Group>
    </>
  );
}
