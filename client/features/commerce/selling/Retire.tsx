import { useState } from 'react'
import { useNavigate } from 'react-router'
import { errorMessage } from '../../../lib/api.ts'
import { paths } from '../../../lib/paths.ts'
import { Card } from '../../../ui/Card.tsx'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { Button } from '../../../ui/core/Button.tsx'
import { toast } from '../../../ui/toast.ts'
import { useDeleteSold, useRetire } from './api.ts'
import styles from './Retire.module.css'
import { type Kind, retireTexts as texts } from './texts.ts'

type RetireProps = { kind: Kind; id: string; title: string; retired: boolean; deletable: boolean }

/** Stops selling something, which can be undone; deletes what nobody ever had, after a confirmation. */
export function Retire({ kind, id, title, retired, deletable }: RetireProps) {
  const navigate = useNavigate()
  const [asking, setAsking] = useState(false)
  const retire = useRetire(kind)
  const remove = useDeleteSold(kind)
  const turn = (on: boolean) =>
    retire.mutateAsync({ id, retired: on }).then(
      () =>
        on
          ? toast.offer(texts.retired(title), { label: texts.undo, onAct: () => void turn(false) })
          : toast.success(texts.soldAgain(title)),
      (error: unknown) => toast.failure(errorMessage(error)),
    )
  const confirm = async () => {
    await remove.mutateAsync(id)
    toast.success(texts.deleted(title))
    void navigate(paths.premiumContent)
  }
  return (
    <div className={styles.retire}>
      <Card>
        <div className={styles.line}>
          <p className={styles.hint}>{(retired ? texts.retiredHint : texts.hint)[kind]}</p>
          <Button variant="default" loading={retire.isPending} onClick={() => void turn(!retired)}>
            {retired ? texts.sellAgain : texts.retire}
          </Button>
          {deletable && (
            <Button variant="default" onClick={() => setAsking(true)}>
              {texts.delete}
            </Button>
          )}
        </div>
      </Card>
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        title={texts.asked(title)}
        confirmLabel={texts.delete}
        destructive
        onConfirm={confirm}
      >
        {texts.effect}
      </ConfirmDialog>
    </div>
  )
}
