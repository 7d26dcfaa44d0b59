import { IconFlag, IconGavel, IconUserCheck, IconUserOff } from '@tabler/icons-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { errorMessage } from '../../lib/api.ts'
import { paths } from '../../lib/paths.ts'
import { lazyPart, useLatch } from '../../ui/lazy-part.tsx'
import { MenuItem, MenuList } from '../../ui/menu/MenuList.tsx'
import type { OpenedMenu } from '../../ui/menu/use-menu.ts'
import { toast } from '../../ui/toast.ts'
import type { Profile } from './api.ts'
import { useBlock } from './parts/people/api.ts'
import { suspensionTexts, blockTexts as texts } from './people/texts.ts'

const ConfirmDialog = lazyPart(() =>
  import('../../ui/ConfirmDialog.tsx').then((module) => module.ConfirmDialog),
)

export type BlockChoicesProps = OpenedMenu & {
  opened: boolean
  profile: Pick<Profile, '_id' | 'username' | 'blocked' | 'suspended'>
  /** Asks whether to suspend or reinstate them; only for operators who may. */
  onSuspend: (() => void) | undefined
}

/**
 * More actions on a person: block them, after a question, or unblock, and report them; operators can suspend them.
 */
export default function BlockChoices({ profile, onSuspend, opened, ...menu }: BlockChoicesProps) {
  const [asking, setAsking] = useState(false)
  const asked = useLatch(asking)
  const block = useBlock()
  const navigate = useNavigate()
  const { _id, username } = profile
  const unblock = () =>
    block.mutate(
      { blockedId: _id, blocked: false },
      {
        onSuccess: () => toast.success(texts.unblocked(username)),
        onError: (error) => toast.failure(errorMessage(error)),
      },
    )
  return (
    <>
      {opened && (
        <MenuList {...menu}>
          {profile.blocked ? (
            <MenuItem Icon={IconUserCheck} onClick={unblock} disabled={block.isPending}>
              {texts.unblockPerson(username)}
            </MenuItem>
          ) : (
            <MenuItem Icon={IconUserOff} onClick={() => setAsking(true)}>
              {texts.blockPerson(username)}
            </MenuItem>
          )}
          <MenuItem Icon={IconFlag} onClick={() => void navigate(paths.report(paths.profile(username)))}>
            {texts.reportPerson(username)}
          </MenuItem>
          {onSuspend && (
            <MenuItem destructive={!profile.suspended} Icon={IconGavel} onClick={onSuspend}>
              {profile.suspended ? suspensionTexts.reinstateAccount : suspensionTexts.suspendAccount}
            </MenuItem>
          )}
        </MenuList>
      )}
      {asked && (
        <ConfirmDialog
          opened={asking}
          onClose={() => setAsking(false)}
          title={texts.blockTitle(username)}
          confirmLabel={texts.block}
          destructive
          onConfirm={async () => {
            await block.mutateAsync({ blockedId: _id, blocked: true })
            toast.success(texts.blocked(username))
            void navigate(paths.privacySettings)
          }}
        >
          <p>{texts.blockEffect}</p>
        </ConfirmDialog>
      )}
    </>
  )
}
