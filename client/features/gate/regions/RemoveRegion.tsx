import { regionRoutes } from '../../../../contract/routes/compliance/regions.ts'
import { ReasonDialog } from '../../../ui/ReasonDialog.tsx'
import { toast } from '../../../ui/toast.ts'
import { type Region, useRemoveRegion } from './api.ts'

/** Asks before a region is opened again, and for the reason. */
export function RemoveRegion({ region, onClose }: { region: Region; onClose: () => void }) {
  const remove = useRemoveRegion()
  return (
    <ReasonDialog
      route={regionRoutes.removeRegion}
      opened
      onClose={onClose}
      title={`Open ${region.name} again?`}
      confirmLabel="Remove"
      destructive
      onConfirm={async (reason) => {
        await remove.mutateAsync({ country: region.country, code: region.code, reason })
        toast.success(`${region.name} is open again.`)
      }}
    >
      Visitors in {region.name} will see content as soon as they say to be 18 or older, without an age check.
    </ReasonDialog>
  )
}
