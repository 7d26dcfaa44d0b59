import { useState } from 'react'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { TextField } from '../../../ui/Field.tsx'
import { toast } from '../../../ui/toast.ts'
import { type Region, useRemoveRegion } from './api.ts'
import styles from './regions.module.css'

/** Asks before a region is opened again, and for the reason. */
export function RemoveRegion({ region, onClose }: { region: Region; onClose: () => void }) {
  const [reason, setReason] = useState('')
  const remove = useRemoveRegion()
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={`Open ${region.name} again?`}
      confirmLabel="Remove"
      destructive
      onConfirm={async () => {
        await remove.mutateAsync({ country: region.country, code: region.code, reason })
        toast.success(`${region.name} is open again.`)
      }}
    >
      <p>
        Visitors in {region.name} will see content as soon as they say to be 18 or older, without an age
        check.
      </p>
      <div className={styles.reason}>
        <TextField
          label="Reason"
          description="Kept in the audit log."
          value={reason}
          onChange={setReason}
          required
        />
      </div>
    </ConfirmDialog>
  )
}
