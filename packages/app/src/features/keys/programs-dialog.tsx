// The programs of others in the workspace, for administrators: how many people have given them access, and a switch that
// ends it for all.

import '../../lib/agent-texts.ts';
import { Box, Button, Modal, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { isRecordsError } from '@workspace-records/client';
import { useT } from '../../lib/messages/index.ts';
import { useSession } from '../../lib/session.ts';
import framed from '../../ui/framed-rows.module.css';
import { Problem } from '../../ui/problem.tsx';
import { programsQuery, useSwitchProgram } from './api.ts';
import classes from './keys-page.module.css';

interface ProgramsDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

export function ProgramsDialog({ isOpen, onClose }: ProgramsDialogProps) {
  const t = useT();
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={t('programs.title')}
      closeButtonProps={{ 'aria-label': t('again.close') }}
    >
      {isOpen && <Programs />}
    </Modal>
  );
}

function Programs() {
  const t = useT();
  const { data: programs, error } = useQuery(programsQuery(useSession()));
  const { mutate, isPending, error: failure } = useSwitchProgram();
  if (isRecordsError(error) && error.code === 'route_not_found') return <p>{t('programs.off')}</p>;
  if (error !== null) return <Problem error={error} />;
  if (programs === undefined) return null;
  return (
    <>
      <Text c="dimmed" mb="lg">
        {programs.length === 0 ? t('programs.none') : t('programs.text')}
      </Text>
      {failure !== null && <Problem error={failure} />}
      <ul className={framed.rows} hidden={programs.length === 0}>
        {programs.map(({ client_id, name, enabled, grants }) => (
          <li key={client_id} className={framed.row}>
            <Box miw={0} flex={1}>
              <div className={classes.name}>{name ?? client_id}</div>
              <div className={classes.small}>
                {enabled ? t('programs.grants', { count: grants }) : t('programs.switchedOff')}
                {name !== null && ` · ${client_id}`}
              </div>
            </Box>
            <Button
              variant="default"
              loading={isPending}
              aria-label={t(enabled ? 'programs.switchOffNamed' : 'programs.switchOnNamed', {
                name: name ?? client_id,
              })}
              onClick={() => mutate({ client_id, enabled: !enabled })}
            >
              {t(enabled ? 'programs.switchOff' : 'programs.switchOn')}
            </Button>
          </li>
        ))}
      </ul>
    </>
  );
}
