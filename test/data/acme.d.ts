// The objects of the workspace "acme", revision 1. Made by
// workspace-records types --workspace acme

/** Companies. */
export interface Companies {
  /** ID (text). */
  id: string;
  /** Owner (user). */
  owner_user_id: number | null;
  /** Created at (datetime). */
  created_at: string;
  /** Updated at (datetime). */
  updated_at: string;
  /** Name (text). */
  name: string | null;
  /** tier (select). */
  tier: "gold" | "silver" | null;
  /** revenue (currency). */
  revenue: number | null;
  /** founded (date). */
  founded: string | null;
  custom_fields: {
    /** note (text). */
    note: string | null;
    /** score (integer). */
    score: number | null;
  };
}

/** Companies, as a create takes them. */
export interface CompaniesWrite {
  /** Owner (user). */
  owner_user_id?: number | null;
  /** Name (text). */
  name: string;
  /** tier (select). */
  tier?: "gold" | "silver" | null;
  /** revenue (currency). */
  revenue?: number | null;
  /** founded (date). */
  founded?: string | null;
  custom_fields?: {
    /** note (text). */
    note?: string | null;
    /** score (integer). */
    score?: number | null;
  };
}

/** Contacts. */
export interface Contacts {
  /** ID (text). */
  id: string;
  /** Owner (user). */
  owner_user_id: number | null;
  /** Created at (datetime). */
  created_at: string;
  /** Updated at (datetime). */
  updated_at: string;
  /** Name (text). */
  name: string | null;
  /** E-mail (email). */
  email: string | null;
  /** Phone (phone). */
  phone: string | null;
  /** Job title (text). */
  job_title: string | null;
  /** Company (reference to companies). */
  company_id: string | null;
}

/** Contacts, as a create takes them. */
export interface ContactsWrite {
  /** Owner (user). */
  owner_user_id?: number | null;
  /** Name (text). */
  name: string;
  /** E-mail (email). */
  email?: string | null;
  /** Phone (phone). */
  phone?: string | null;
  /** Job title (text). */
  job_title?: string | null;
  /** Company (reference to companies). */
  company_id?: string | null;
}

/** Deals. */
export interface Deals {
  /** ID (text). */
  id: string;
  /** Status (select). */
  status: "open" | "won" | "lost";
  /** Owner (user). */
  owner_user_id: number | null;
  /** Created at (datetime). */
  created_at: string;
  /** Updated at (datetime). */
  updated_at: string;
  /** Name (text). */
  name: string | null;
  /** Company (reference to companies). */
  company_id: string | null;
  /** code (text). */
  code: string | null;
  /** amount (currency). */
  amount: number | null;
  /** closes_on (date). */
  closes_on: string | null;
  /** tags (multi_select). */
  tags: ("new" | "hot")[] | null;
  /** secret (text). */
  secret: string | null;
  /** origin (text). */
  origin: string | null;
}

/** Deals, as a create takes them. */
export interface DealsWrite {
  /** Owner (user). */
  owner_user_id?: number | null;
  /** Name (text). */
  name: string;
  /** Company (reference to companies). */
  company_id?: string | null;
  /** code (text). */
  code?: string | null;
  /** amount (currency). */
  amount?: number | null;
  /** closes_on (date). */
  closes_on?: string | null;
  /** tags (multi_select). */
  tags?: ("new" | "hot")[] | null;
  /** secret (text). */
  secret?: string | null;
}

/** Meetings. */
export interface Meetings {
  /** ID (text). */
  id: string;
  /** Owner (user). */
  owner_user_id: number | null;
  /** Created at (datetime). */
  created_at: string;
  /** Updated at (datetime). */
  updated_at: string;
  /** Title (text). */
  title: string | null;
  /** Starts at (datetime). */
  starts_at: string | null;
  /** Ends at (datetime). */
  ends_at: string | null;
  /** Location (text). */
  location: string | null;
}

/** Meetings, as a create takes them. */
export interface MeetingsWrite {
  /** Owner (user). */
  owner_user_id?: number | null;
  /** Title (text). */
  title: string;
  /** Starts at (datetime). */
  starts_at?: string | null;
  /** Ends at (datetime). */
  ends_at?: string | null;
  /** Location (text). */
  location?: string | null;
}

/** Events. */
export interface Events {
  /** ID (text). */
  id: string;
  /** Owner (user). */
  owner_user_id: number | null;
  /** Created at (datetime). */
  created_at: string;
  /** Updated at (datetime). */
  updated_at: string;
  /** Title (text). */
  title: string | null;
  /** Starts at (datetime). */
  starts_at: string | null;
  /** Ends at (datetime). */
  ends_at: string | null;
  /** Location (text). */
  location: string | null;
}

/** Events, as a create takes them. */
export interface EventsWrite {
  /** Owner (user). */
  owner_user_id?: number | null;
  /** Title (text). */
  title: string;
  /** Starts at (datetime). */
  starts_at?: string | null;
  /** Ends at (datetime). */
  ends_at?: string | null;
  /** Location (text). */
  location?: string | null;
}

/** Products. */
export interface Products {
  /** ID (text). */
  id: string;
  /** Created at (datetime). */
  created_at: string;
  /** Updated at (datetime). */
  updated_at: string;
  /** Name (text). */
  name: string | null;
}

/** Products, as a create takes them. */
export interface ProductsWrite {
  /** Name (text). */
  name: string;
}

/** Work items. */
export interface WorkItems {
  /** ID (text). */
  id: string;
  /** Public ID (text). */
  public_id: string;
  /** Owner (user). */
  owner_user_id: number | null;
  /** Created at (datetime). */
  created_at: string;
  /** Updated at (datetime). */
  updated_at: string;
  /** Title (text). */
  title: string | null;
  /** Description (long_text). */
  description: string | null;
  /** Due date (date). */
  due_date: string | null;
  /** Type (text). */
  work_item_type_id: string | null;
  /** Parent (reference to work_items). */
  parent_work_item_id: string | null;
}

/** Work items, as a create takes them. */
export interface WorkItemsWrite {
  /** Owner (user). */
  owner_user_id?: number | null;
  /** Title (text). */
  title: string;
  /** Description (long_text). */
  description?: string | null;
  /** Due date (date). */
  due_date?: string | null;
  /** Type (text). */
  work_item_type_id: string;
  /** Parent (reference to work_items). */
  parent_work_item_id?: string | null;
}

/** Boats. */
export interface Boats {
  /** ID (text). */
  id: string;
  /** Created at (datetime). */
  created_at: string;
  /** Updated at (datetime). */
  updated_at: string;
  /** name (text). */
  name: string | null;
  /** company_id (reference to companies). */
  company_id: string | null;
}

/** Boats, as a create takes them. */
export interface BoatsWrite {
  /** name (text). */
  name: string;
  /** company_id (reference to companies). */
  company_id: string;
}

/** Readings. */
export interface Readings {
  /** ID (text). */
  id: string;
  /** Owner (user). */
  owner_user_id: number | null;
  /** Created at (datetime). */
  created_at: string;
  /** Updated at (datetime). */
  updated_at: string;
  /** value (number). */
  value: number | null;
}

/** Readings, as a create takes them. */
export interface ReadingsWrite {
  /** Owner (user). */
  owner_user_id?: number | null;
  /** value (number). */
  value?: number | null;
}

/** For createClient<Objects>(). */
export interface Objects {
  companies: {
    read: Companies;
    write: CompaniesWrite;
  };
  contacts: {
    read: Contacts;
    write: ContactsWrite;
    references: {
      company_id: Objects["companies"];
    };
  };
  deals: {
    read: Deals;
    write: DealsWrite;
    references: {
      company_id: Objects["companies"];
    };
  };
  meetings: {
    read: Meetings;
    write: MeetingsWrite;
  };
  events: {
    read: Events;
    write: EventsWrite;
  };
  products: {
    read: Products;
    write: ProductsWrite;
  };
  work_items: {
    read: WorkItems;
    write: WorkItemsWrite;
    references: {
      parent_work_item_id: Objects["work_items"];
    };
  };
  boats: {
    read: Boats;
    write: BoatsWrite;
    references: {
      company_id: Objects["companies"];
    };
  };
  readings: {
    read: Readings;
    write: ReadingsWrite;
  };
}
