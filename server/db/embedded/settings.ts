/**
 * PostgreSQL's settings, given on its command line so that they follow the code and not the folder.
 * They suit a machine of two cores and 2 GB that also runs the server.
 */
const settings = {
  max_connections: '60',
  shared_buffers: '192MB',
  effective_cache_size: '512MB',
  work_mem: '8MB',
  maintenance_work_mem: '64MB',
  random_page_cost: '1.1',
  jit: 'off',
  // Parallel queries need /dev/shm, of which containers have little, and cores that the server needs.
  max_parallel_workers_per_gather: '0',
  max_parallel_maintenance_workers: '0',
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  max_wal_size: '1GB',
  timezone: 'UTC',
  log_timezone: 'UTC',
  lc_messages: 'C',
  log_checkpoints: 'off',
  password_encryption: 'scram-sha-256',
} as const

/** Guarantees that a disposable database can do without, and plans made once: each test's connections are new. */
const throwawaySettings = {
  max_connections: '320',
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  scram_iterations: '1',
  plan_cache_mode: 'force_generic_plan',
} as const

/** Where PostgreSQL listens: on a Unix socket in a folder, or without one on a port of 127.0.0.1. */
export type Endpoint = { socketFolder: string | null; port: number }

/** The arguments of `postgres` for these settings and this endpoint. */
export function postgresArguments(options: { throwaway: boolean; endpoint: Endpoint }): string[] {
  const { socketFolder, port } = options.endpoint
  const all = {
    ...settings,
    ...(options.throwaway ? throwawaySettings : {}),
    port: String(port),
    listen_addresses: socketFolder === null ? '127.0.0.1' : '',
    // Quoted: the setting is a list, and a folder's name may hold a comma.
    unix_socket_directories: socketFolder === null ? '' : `"${socketFolder}"`,
    unix_socket_permissions: '0700',
  }
  return Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}
