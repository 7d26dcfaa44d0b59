import { regionRoutes } from '../../../../contract/routes/compliance/regions.ts'
import { ReasonDialog } from '../../../ui/ReasonDialog.tsx'
import { toast } from '../../../ui/toast.ts'
import { type Region, useRemoveRegion } from './api.ts'
import { texts } from './texts.ts'

const words = texts.removal

/** Asks before a region is opened again, and for the reason. */
export function RemoveRegion({ region, onClose }: { region: Region; onClose: () => void }) {
  const remove = useRemoveRegion()
  return (
    <ReasonDialog
      route={regionRoutes.removeRegion}
      opened
      onClose={onClose}
      title={words.title(region.name)}
      confirmLabel={words.confirm}
      destructive
      over="region_not_found"
      onConfirm={async (reason) => {
        await remove.mutateAsync({ country: region.country, code: region.code, reason })
        toast.success(words.done(region.name))
      }}
    >
      {words.effect(region.name)}
    </ReasonDialog>
  )
}
