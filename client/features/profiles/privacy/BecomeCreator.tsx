import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { call } from '../../../lib/api.ts'
import { paths } from '../../../lib/paths.ts'
import { roots } from '../../../lib/query.ts'
import { routes } from '../../../lib/routes.ts'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { Button } from '../../../ui/core/Button.tsx'
import { toast } from '../../../ui/toast.ts'
import styles from './privacy.module.css'
import { creatorTexts as texts } from './texts.ts'

/** The way for a fan to sell: asked once, as everybody finds a creator and nothing takes it back. */
export function BecomeCreator() {
  const [asking, setAsking] = useState(false)
  const navigate = useNavigate()
  const become = useMutation({
    mutationFn: () => call(routes.becomeCreator),
    meta: { invalidates: [roots.identity, roots.profiles] },
  })
  const confirm = async () => {
    await become.mutateAsync()
    toast.success(texts.done)
    await navigate(paths.dashboard)
  }
  return (
    <div className={styles.part}>
      <p>{texts.about}</p>
      <div>
        <Button variant="default" size="sm" onClick={() => setAsking(true)}>
          {texts.button}
        </Button>
      </div>
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        title={texts.title}
        confirmLabel={texts.button}
        onConfirm={confirm}
      >
        {texts.effect}
      </ConfirmDialog>
    </div>
  )
}
