"""What people look at: the report page, static figures, and the explanation of one document."""
