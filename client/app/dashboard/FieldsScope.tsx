import { Outlet } from 'react-router'
import { MantineScope } from '../../ui/theme/MantineScope.tsx'

/** Around the dashboard’s pages on which something is filled in: nearly all of them. */
export function FieldsScope() {
  return (
    <MantineScope>
      <Outlet />
    </MantineScope>
  )
}
